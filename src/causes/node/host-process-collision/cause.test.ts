import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const exporter =
  '$ kubectl -n mon logs node-exporter-7x2lq\nts=2026-03-04T08:10:57.118Z caller=node_exporter.go:123 level=error err="listen tcp 0.0.0.0:9100: bind: address already in use"\n';
const described = (events = '') => `$ kubectl -n mon describe pod node-exporter-7x2lq
Name:             node-exporter-7x2lq
Namespace:        mon
Node:             alder/10.7.0.9
Status:           Running
IP:               10.7.0.9
Containers:
  exporter:
    Image:          prom/node-exporter:v1.7.0
    Port:           9100/TCP
    Host Port:      9100/TCP
    State:          Waiting
      Reason:       CrashLoopBackOff
    Ready:          False
    Restart Count:  9
${events}`;
const listing =
  '[root@alder ~]# ss -ltnp\nState  Recv-Q Send-Q Local Address:Port Peer Address:Port Process\nLISTEN 0      4096               *:9100            *:*    users:(("prometheus-node",pid=812,fd=3))\n';
const pod = `$ kubectl -n mon get pod node-exporter-7x2lq -o yaml
apiVersion: v1
kind: Pod
metadata:
  name: node-exporter-7x2lq
  namespace: mon
spec:
  hostNetwork: true
  nodeName: alder
  containers:
  - name: exporter
    image: prom/node-exporter:v1.7.0
`;

testCause(cause, {
  finds: {
    'a service of the host has the port': {
      evidence: { 'log.txt': exporter, 'pod.txt': described(), 'ss.txt': listing, 'pod.yaml': pod },
      confidence: 'probable',
      place: 'node alder',
      cites: ['ss.txt:3'],
    },
    'only the log': { evidence: { 'log.txt': exporter }, confidence: 'possible' },
    'Docker says it': {
      evidence: {
        'pod.txt': described(
          'Events:\n  Type     Reason  Age   From     Message\n  ----     ------  ----  ----     -------\n  Warning  Failed  8s    kubelet  Error: failed to start container "exporter": Error response from daemon: driver failed programming external connectivity on endpoint k8s_POD: Bind for 0.0.0.0:9100 failed: port is already allocated\n',
        ),
      },
      confidence: 'probable',
      place: 'node alder',
    },
  },
  rulesOut: {
    'the kubelet itself': {
      evidence: {
        'pod.txt': described(),
        'log.txt': exporter,
        'kubelet.log':
          'Mar 04 08:10:57 alder kubelet[901]: E0304 08:10:57.118402     901 server.go:176] "Failed to listen and serve" err="listen tcp 0.0.0.0:10250: bind: address already in use"\n',
      },
      by: 'ownStart',
    },
  },
  asks: { 'who listens there': { evidence: { 'log.txt': exporter, 'pod.txt': described() }, for: 'host-tools' } },
});
