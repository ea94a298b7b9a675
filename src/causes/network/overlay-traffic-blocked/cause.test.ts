import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const ping = `[root@plover-1 ~]# ping -c 3 10.244.2.5
PING 10.244.2.5 (10.244.2.5) 56(84) bytes of data.

--- 10.244.2.5 ping statistics ---
3 packets transmitted, 0 received, 100% packet loss, time 2001ms
`;

testCause(cause, {
  finds: {
    'a ping to a pod of another node': {
      evidence: { 'shell.txt': ping },
      confidence: 'possible',
      place: 'node plover-1',
      cites: ['shell.txt:2'],
    },
    'cilium counts its nodes': {
      evidence: {
        'status.txt': `$ kubectl -n kube-system exec ds/cilium -- cilium status
KVStore:                 Disabled
Kubernetes:              Ok         1.31 (v1.31.4) [linux/amd64]
Cluster health:          1/3 reachable   (2025-03-04T08:10:57Z)
`,
      },
      confidence: 'possible',
    },
    'weave has no peer': {
      evidence: {
        'weave.txt':
          '$ kubectl -n kube-system exec weave-net-x7k2p -c weave -- /home/weave/weave --local status connections\n-> 10.4.0.12:6783       failed      dial tcp4 :0->10.4.0.12:6783: i/o timeout, retry: 2025-03-04 08:12:03\n',
      },
      confidence: 'probable',
    },
    'a peer without a session, and checksums that look bad': {
      evidence: {
        'shell.txt': `[root@plover-1 ~]# calicoctl node status
Calico process is running.

IPv4 BGP status
+--------------+-------------------+-------+----------+----------------------------------+
| PEER ADDRESS |     PEER TYPE     | STATE |  SINCE   |               INFO               |
+--------------+-------------------+-------+----------+----------------------------------+
| 10.4.0.12    | node-to-node mesh | start | 08:10:11 | Connect Socket: No route to host |
+--------------+-------------------+-------+----------+----------------------------------+

[root@plover-1 ~]# tcpdump -vvni any udp port 8472
08:10:57.331207 IP (tos 0x0, ttl 64, id 1) 10.4.0.11.41234 > 10.4.0.12.8472: [bad udp cksum 0x1a2b -> 0x77f3!] OTV, flags [I] (0x08), overlay 0, instance 1
`,
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a port answers': {
      evidence: {
        'shell.txt': `${ping}[root@plover-1 ~]# nc -vz 10.244.2.5 8080\nnc: connect to 10.244.2.5 port 8080 (tcp) failed: Connection refused\n`,
      },
      by: 'answered',
    },
  },
  asks: { 'what else was tried': { evidence: { 'shell.txt': ping }, for: 'host-tools' } },
});
