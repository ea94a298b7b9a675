import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE     NAME              READY   STATUS             RESTARTS      AGE   IP          NODE
kube-system   weave-net-4tw8g   1/2     CrashLoopBackOff   8 (20s ago)   21m   10.4.0.11   heron-3
`;
const log = (words: string) => `$ kubectl -n kube-system logs weave-net-4tw8g -c weave
${words}
`;

testCause(cause, {
  finds: {
    'weave refuses to start': {
      evidence: { 'pods.txt': pods, 'weave.log': log('Network 10.42.0.0/16 overlaps with existing route 10.42.139.128/26 on host') },
      confidence: 'certain',
      place: 'workload kube-system/weave-net',
      cites: ['weave.log:2'],
      victims: 1,
    },
    'the line alone': {
      evidence: { 'paste.txt': 'Network 10.32.0.0/12 overlaps with existing route 10.0.0.0/8 on host\n' },
      confidence: 'probable',
    },
    'the range of an address pool': {
      evidence: {
        'operator.log':
          '{"level":"error","ts":"2025-03-04T08:10:11Z","logger":"controller_installation","msg":"IPPool 10.96.0.0/16 overlaps with service CIDR 10.96.0.0/12"}\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it started since': {
      evidence: {
        'pods.txt': pods,
        'weave.log': log(
          'Network 10.42.0.0/16 overlaps with existing route 10.42.139.128/26 on host\nINFO: 2025/03/04 08:10:11.486246 Sniffing traffic on datapath (via ODP)',
        ),
      },
      by: 'started',
    },
  },
  asks: {
    'the whole log': {
      evidence: { 'paste.txt': 'Network 10.32.0.0/12 overlaps with existing route 10.0.0.0/8 on host\n' },
      for: 'container-log',
    },
  },
});
