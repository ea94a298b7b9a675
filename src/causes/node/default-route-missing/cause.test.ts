import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => `$ kubectl -n kube-system logs gate-operator-x7k2p\n${words}\n`;
const unreachable = 'ERROR Get "https://10.96.0.1:443/api?timeout=32s": dial tcp 10.96.0.1:443: connect: network is unreachable';

testCause(cause, {
  finds: {
    k3s: {
      evidence: {
        'journal.txt': `Mar 04 08:10:57 plover-1 k3s[957]: time="2025-03-04T08:10:57Z" level=fatal msg="no default routes found in \\"/proc/net/route\\" or \\"/proc/net/ipv6_route\\""\n`,
      },
      confidence: 'probable',
    },
    'no route to the Services': { evidence: { 'operator.log': log(unreachable) }, confidence: 'possible' },
    'the routes of the host': {
      evidence: {
        'operator.log': log(unreachable),
        'host.txt': '[root@plover-1 ~]# ip route\n10.4.0.0/24 dev eth0 proto kernel scope link src 10.4.0.11\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it has one': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 plover-1 kubelet[957]: E0304 08:10:57.331207     957 server.go:1] "Failed" err="dial tcp 10.96.0.1:443: connect: network is unreachable"\n',
        'host.txt':
          '[root@plover-1 ~]# ip route\ndefault via 10.4.0.1 dev eth0\n10.4.0.0/24 dev eth0 proto kernel scope link src 10.4.0.11\n',
      },
      by: 'there',
    },
  },
  asks: { 'the routes': { evidence: { 'operator.log': log(unreachable) }, for: 'host-state' } },
});
