import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (message: string) =>
  `{"level":"ERROR","time":"2025-03-04T08:10:57.552Z","logger":"controller.provisioner","message":"Could not schedule pod, ${message}","commit":"1a2b3c4","pod":"books/ledger-746d677b76-lghl4"}\n`;
const overhead = 'daemonset overhead={\\"cpu\\":\\"675m\\",\\"memory\\":\\"390Mi\\",\\"pods\\":\\"6\\"}';
const label = log(
  `incompatible with nodepool \\"default\\", ${overhead}, incompatible requirements, label \\"team\\" does not have known values`,
);
const event = (message: string) => `Name:         ledger-746d677b76-lghl4
Namespace:    books
Status:       Pending
Controlled By:  ReplicaSet/ledger-746d677b76
Events:
  Type     Reason             Age   From                Message
  ----     ------             ----  ----                -------
  Warning  FailedScheduling   3m    karpenter           Failed to schedule pod, ${message}
  Normal   NotTriggerScaleUp  2m    cluster-autoscaler  pod didn't trigger scale-up: 1 node(s) didn't match Pod's node affinity/selector
`;

testCause(cause, {
  finds: {
    'a pool without any instance type': {
      evidence: {
        'karpenter.log':
          '{"level":"ERROR","time":"2025-03-04T08:10:57.118Z","logger":"controller","message":"skipping, nodepool requirements filtered out all instance types","controller":"provisioner","NodePool":{"name":"ledger"}}\n',
      },
      confidence: 'possible',
    },
    'a label that no pool sets': { evidence: { 'karpenter.log': label }, confidence: 'probable', cites: ['karpenter.log:1'] },
    'a taint, as an event': {
      evidence: {
        'pod.txt': event(
          'incompatible with nodepool "gpu", daemonset overhead={"cpu":"605m"}, did not tolerate nvidia.com/gpu=1:NoSchedule',
        ),
      },
      confidence: 'certain',
      place: 'Deployment books/ledger',
    },
    'too large for every type': {
      evidence: {
        'karpenter.log': log(
          `incompatible with nodepool \\"default\\", ${overhead}, no instance type satisfied resources {\\"cpu\\":\\"120\\",\\"pods\\":\\"7\\"} and requirements kubernetes.io/arch In [amd64] (no instance type has enough resources)`,
        ),
      },
      confidence: 'probable',
    },
    'a value that the pool does not have': {
      evidence: {
        'karpenter.log': log(
          `incompatible with provisioner \\"default\\", ${overhead}, incompatible requirements, key topology.kubernetes.io/zone, topology.kubernetes.io/zone In [eu-1c] not in topology.kubernetes.io/zone In [eu-1a eu-1b]`,
        ),
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'a pool that fits is full': {
      evidence: {
        'karpenter.log': label + log('all available instance types exceed limits for nodepool: \\"default\\"'),
      },
      by: 'full',
    },
    'it runs since': {
      evidence: {
        'pod.txt': event('incompatible with nodepool "gpu", did not tolerate nvidia.com/gpu=1:NoSchedule'),
        'pods.txt':
          'NAMESPACE   NAME                      READY   STATUS    RESTARTS   AGE\nbooks       ledger-746d677b76-lghl4   1/1     Running   0          9m\n',
      },
      by: 'well',
    },
  },
  asks: { 'whether the pod runs': { evidence: { 'karpenter.log': label }, for: 'pod.status' } },
});
