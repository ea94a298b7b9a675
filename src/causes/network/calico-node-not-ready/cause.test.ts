import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `$ kubectl -n kube-system describe pod calico-node-x7k2p
Events:
  Type     Reason     Age                   From     Message
  ----     ------     ----                  ----     -------
  Normal   Scheduled  41m                   default-scheduler  Successfully assigned kube-system/calico-node-x7k2p to plover-1
  Normal   Started    40m                   kubelet  Started container calico-node
  Warning  Unhealthy  6s (x244 over 40m)    kubelet  ${message}
`;
const bgp =
  'Readiness probe failed: 2025-03-04 08:10:55.795 [INFO][3044] confd/health.go 180: Number of node(s) with BGP peering established = 0\ncalico/node is not ready: BIRD is not ready: BGP not established with 10.4.0.12,10.4.0.13\n';
const pods = `NAMESPACE     NAME                READY   STATUS    RESTARTS   AGE   IP          NODE
kube-system   calico-node-x7k2p   0/1     Running   0          41m   10.4.0.11   plover-1
kube-system   calico-node-b8m4z   0/1     Running   0          41m   10.4.0.12   plover-2
`;

testCause(cause, {
  finds: {
    'no BGP session, two nodes': {
      evidence: { 'describe.txt': events(bgp), 'pods.txt': pods },
      confidence: 'certain',
      cites: ['describe.txt:7'],
      victims: 2,
    },
    'its own port is taken': {
      evidence: {
        'describe.txt': events(
          'Liveness probe failed: calico/node is not ready: Felix is not live: Get "http://localhost:9099/liveness": dial tcp 127.0.0.1:9099: connect: connection refused',
        ),
        'node.log':
          '$ kubectl -n kube-system logs calico-node-x7k2p\n2025-03-04 08:10:55.795 [ERROR][61] felix/health.go 246: Health endpoint failed, trying to restart it... error=listen tcp 127.0.0.1:9099: bind: address already in use\n',
      },
      confidence: 'certain',
      cites: ['node.log:2'],
    },
    'BIRD does not answer': {
      evidence: {
        'describe.txt': events(
          'Readiness probe failed: calico/node is not ready: BIRD is not ready: Error querying BIRD: unable to connect to BIRDv4 socket: dial unix /var/run/bird/bird.ctl: connect: no such file or directory',
        ),
      },
      confidence: 'certain',
    },
    'a peer on a Docker bridge': {
      evidence: { 'describe.txt': events(bgp.replace('10.4.0.12,10.4.0.13', '172.18.0.1')) },
      confidence: 'certain',
    },
    felix: {
      evidence: {
        'describe.txt': events('Readiness probe failed: calico/node is not ready: felix is not ready: readiness probe reporting 503'),
      },
      confidence: 'certain',
    },
    'an interface that no other node reaches': {
      evidence: {
        'calico.log': `$ kubectl -n kube-system logs calico-node-x7k2p -c calico-node
2025-03-04 07:31:02.112 [INFO][81] monitor-addresses/autodetection_methods.go 103: Using autodetected IPv4 address on interface nodelocaldns: 10.96.0.10/32
`,
      },
      confidence: 'possible',
    },
    'a wrong interface': {
      evidence: {
        'describe.txt': events(bgp),
        'calico.log': `$ kubectl -n kube-system logs calico-node-x7k2p -c calico-node
2025-03-04 07:31:02.112 [WARNING][9] startup/startup.go 1046: Calico node 'plover-2' is already using the IPv4 address 172.17.0.1.
`,
      },
      confidence: 'certain',
      cites: ['calico.log:2'],
    },
  },
  rulesOut: {
    'the probe timed out': {
      evidence: {
        'describe.txt': `${events(bgp)}  Warning  Unhealthy  3s (x20 over 10m)  kubelet  Readiness probe failed: command "/bin/calico-node -bird-ready -felix-ready" timed out\n`,
      },
      by: 'slowProbe',
    },
  },
  asks: { 'the log of calico-node': { evidence: { 'describe.txt': events(bgp) }, for: 'container-log' } },
});
