import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f": plugin type="kube-ovn" failed (add): RPC failed; request ip return 500 configure nic failed ${message}
`;
const silent = 'no packets received from gateway 172.17.17.1';

testCause(cause, {
  finds: {
    'the join network': {
      evidence: {
        'cni.log':
          '$ kubectl -n kube-system logs kube-ovn-cni-x7k2p\nE0304 08:10:36.101704   4711 ovs.go:282] ovn0 failed to ping gw 100.64.0.1, exit status 1\nF0304 08:10:36.101742   4711 cniserver.go:36] init node gateway failed exit status 1\n',
      },
      confidence: 'certain',
    },
    'no packet comes back': {
      evidence: { 'describe.txt': events(silent) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'and ping': {
      evidence: {
        'describe.txt': events(silent),
        'ping.txt': `[root@plover-1 ~]# ping -c 3 172.17.17.1
PING 172.17.17.1 (172.17.17.1) 56(84) bytes of data.

--- 172.17.17.1 ping statistics ---
3 packets transmitted, 0 received, 100% packet loss, time 2040ms
`,
      },
      confidence: 'certain',
    },
    'no answer to ARP': {
      evidence: { 'describe.txt': events('resolve MAC address of 10.50.0.1 timeout: 10.50.0.1') },
      confidence: 'certain',
    },
    'the bare message': {
      evidence: { 'paste.txt': `plugin type="kube-ovn" failed (add): RPC failed; request ip return 500 configure nic failed ${silent}\n` },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'Open vSwitch is down': {
      evidence: {
        'describe.txt': `${events(silent)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: ovs-vsctl: unix:/var/run/openvswitch/db.sock: database connection failed (Connection refused)\n`,
      },
      by: 'noAgent',
    },
  },
  asks: { 'a try from the node': { evidence: { 'describe.txt': events(silent) }, for: 'host-state' } },
});
