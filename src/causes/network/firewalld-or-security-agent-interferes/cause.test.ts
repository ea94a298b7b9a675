import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE     NAME                       READY   STATUS    RESTARTS   AGE   IP           NODE
kube-system   coredns-7c65d6cfc9-4k2bp   0/1     Running   0          19m   10.244.0.3   plover-1
`;
const noRoute = `$ kubectl -n kube-system logs coredns-7c65d6cfc9-4k2bp
E0304 08:10:57.331207       1 reflector.go:126] Failed to list *v1.Service: Get https://10.96.0.1:443/api/v1/services?limit=500: dial tcp 10.96.0.1:443: connect: no route to host
`;
const ufw =
  'Mar  4 08:10:57 plover-1 kernel: [ 8123.441] [UFW BLOCK] IN=cni0 OUT=ens3 MAC=aa:bb SRC=10.244.0.3 DST=10.4.0.10 LEN=60 TOS=0x00 PREC=0x00 TTL=63 ID=1 DF PROTO=TCP SPT=41234 DPT=6443 WINDOW=64860 RES=0x00 SYN URGP=0\n';

testCause(cause, {
  finds: {
    'ufw logs traffic of pods': { evidence: { 'kern.log': ufw }, confidence: 'certain', place: 'node plover-1', cites: ['kern.log:1'] },
    'ufw is on, and the API server is silent': {
      evidence: {
        'shell.txt':
          'ops@plover-1:~$ sudo ufw status\nStatus: active\n\nTo                         Action      From\n--                         ------      ----\n22/tcp                     ALLOW       Anywhere\n',
        'coredns.log': noRoute.replace('connect: no route to host', 'i/o timeout'),
      },
      confidence: 'possible',
    },
    'ping is prohibited': {
      evidence: {
        'shell.txt':
          '[root@plover-1 ~]# ping -c 1 10.244.2.5\nPING 10.244.2.5 (10.244.2.5) 56(84) bytes of data.\nFrom 10.4.0.12 icmp_seq=1 Destination Host Prohibited\n',
      },
      confidence: 'certain',
      place: 'node plover-1',
    },
    'no route to host, and firewalld runs': {
      evidence: {
        'pods.txt': pods,
        'coredns.log': noRoute,
        'unit.txt': `[root@plover-1 ~]# systemctl status firewalld
● firewalld.service - firewalld - dynamic firewall daemon
   Loaded: loaded (/usr/lib/systemd/system/firewalld.service; enabled; vendor preset: enabled)
   Active: active (running) since Tue 2025-03-04 06:00:00 UTC; 2h ago
`,
      },
      confidence: 'probable',
      place: 'node plover-1',
      cites: ['coredns.log:2', 'unit.txt:2'],
      victims: 1,
    },
    'tried by hand, with the rule': {
      evidence: {
        'shell.txt': `[root@plover-1 ~]# curl -k https://10.96.0.1:443/version
curl: (7) Failed to connect to 10.96.0.1 port 443: No route to host
[root@plover-1 ~]# iptables -L FORWARD -n
Chain FORWARD (policy ACCEPT)
target     prot opt source               destination
REJECT     all  --  0.0.0.0/0            0.0.0.0/0            reject-with icmp-host-prohibited
`,
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'it is not running': {
      evidence: {
        'pods.txt': pods,
        'coredns.log': noRoute,
        'shell.txt': '[root@plover-1 ~]# firewall-cmd --state\nFirewallD is not running\n',
      },
      by: 'opened',
    },
  },
  asks: { 'the state of the unit': { evidence: { 'pods.txt': pods, 'coredns.log': noRoute }, for: 'unit-state' } },
});
