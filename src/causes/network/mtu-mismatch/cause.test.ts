import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const frag = `[root@plover-1 ~]# ping -c 2 -M do -s 1472 10.4.0.12
PING 10.4.0.12 (10.4.0.12) 1472(1500) bytes of data.
From 10.4.0.1 icmp_seq=1 Frag needed and DF set (mtu = 1450)
`;

testCause(cause, {
  finds: {
    'a handshake that hangs': {
      evidence: {
        'flannel.log':
          '$ kubectl -n kube-flannel logs kube-flannel-ds-x7k2p\nE0304 08:10:36.301244       1 main.go:224] Failed to create SubnetManager: error retrieving pod spec for \'kube-flannel/kube-flannel-ds-x7k2p\': Get "https://10.96.0.1:443/api/v1/namespaces/kube-flannel/pods/kube-flannel-ds-x7k2p": net/http: TLS handshake timeout\n',
      },
      confidence: 'possible',
    },
    'a router complains': { evidence: { 'shell.txt': frag }, confidence: 'possible', place: 'node plover-1', cites: ['shell.txt:3'] },
    'a router complains, and the card is small': {
      evidence: {
        'shell.txt': frag,
        'links.txt':
          '[root@plover-1 ~]# ip addr\n2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1450 qdisc mq state UP\n    inet 10.4.0.11/24 brd 10.4.0.255 scope global eth0\n',
      },
      confidence: 'possible',
      cites: ['links.txt:2'],
    },
    'a program cannot send': {
      evidence: {
        'app.log':
          '$ kubectl -n shop logs relay-0\n2025/03/04 08:10:57 write udp 10.4.0.11:41234->10.4.2.7:9000: sendto: message too long\n',
      },
      confidence: 'possible',
    },
    'the MTU is refused': {
      evidence: {
        'describe.txt': `Events:
  Type     Reason                  Age   From     Message
  ----     ------                  ----  ----     -------
  Warning  FailedCreatePodSandBox  8s    kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f": plugin type="macvlan" failed (add): invalid MTU 9000, must be [0, master MTU(1500)]
`,
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'nothing passes at all': {
      evidence: {
        'shell.txt': `${frag}[root@plover-1 ~]# ping -c 1 10.4.0.12\n1 packets transmitted, 0 received, 100% packet loss, time 0ms\n`,
      },
      by: 'lossAll',
    },
  },
  asks: { 'the interfaces': { evidence: { 'shell.txt': frag }, for: 'host.interface' } },
});
