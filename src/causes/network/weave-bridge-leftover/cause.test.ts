import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `$ kubectl -n kube-system get pods
NAME              READY   STATUS             RESTARTS      AGE
weave-net-x7k2p   ${status}   4m
`;
const CRASHING = '1/2     CrashLoopBackOff   5 (61s ago)';
const log = (words: string) => `$ kubectl -n kube-system logs weave-net-x7k2p -c weave\n${words}\n`;
const bridge =
  'FATA: 2026/03/04 08:10:12.870839 Existing bridge type "bridge" is different than requested "bridged_fastdp". Please do \'weave reset\' and try again';

testCause(cause, {
  finds: {
    'a bridge of another mode': {
      evidence: { 'pods.txt': pods(CRASHING), 'weave.log': log(bridge) },
      confidence: 'certain',
      cites: ['weave.log:2'],
    },
    'a start that was broken off': {
      evidence: {
        'pods.txt': pods(CRASHING),
        'weave.log': log("FATA: 2026/03/04 08:10:12.402133 Inconsistent bridge state detected. Please do 'weave reset' and try again"),
      },
      confidence: 'certain',
    },
    'addresses of a cluster before': {
      evidence: {
        'pods.txt': pods(CRASHING),
        'weave.log': log(
          'FATA: 2026/03/04 08:10:12.402133 [allocator 0a:1b]: Received update for IP range I own at 10.32.0.0 v3: incoming message says owner 2c:3d v5',
        ),
      },
      confidence: 'certain',
    },
    'without the kernel module': {
      evidence: {
        'pods.txt': pods(CRASHING),
        'weave.log': log(`WARN: 2026/03/04 08:10:12.300000 Could not initialise fastdp: openvswitch\n${bridge}`),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it came up since': {
      evidence: {
        'weave.log': log(`${bridge}\nINFO: 2026/03/04 08:12:12.870839 ->[10.1.0.4:6783|0a:1b(worker-3)]: connection fully established`),
      },
      by: 'up',
    },
    'it runs by now': { evidence: { 'pods.txt': pods('2/2     Running            0            '), 'weave.log': log(bridge) }, by: 'well' },
  },
  asks: {
    'the log of Weave': {
      evidence: { 'paste.txt': 'Could not initialise fastdp: openvswitch\n' },
      for: 'container-log',
    },
  },
});
