import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describePod(message: string, more = ''): string {
  return `Name:             tenant-42-api-7d5b8c9f6c-4jx8v
Namespace:        tenant-42
Node:             <none>
Status:           Pending
Controlled By:    ReplicaSet/tenant-42-api-7d5b8c9f6c
Containers:
  api:
    Image:      registry.example/tenant-api:1.9
Events:
  Type     Reason            Age                  From               Message
  ----     ------            ----                 ----               -------
  Warning  FailedScheduling  22s (x9 over 12m)    default-scheduler  ${message}
${more}`;
}

const full =
  '0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 2 Too many pods. preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.';

testCause(cause, {
  finds: {
    'all workers full': {
      evidence: {
        'describe.txt': describePod(full),
        'kubelet.yaml': `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cgroupDriver: systemd
maxPods: 40
`,
      },
      confidence: 'certain',
      place: 'the cluster',
      cites: ['describe.txt:12', 'kubelet.yaml:4'],
      victims: 1,
    },
    'wording of 1.8': {
      evidence: {
        'describe.txt': describePod(
          'No nodes are available that match all of the predicates: Insufficient pods (2), PodToleratesNodeTaints (1).',
        ),
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'placed since': {
      evidence: {
        'describe.txt': describePod(
          full,
          '  Normal   Scheduled         9s                   default-scheduler  Successfully assigned tenant-42/tenant-42-api-7d5b8c9f6c-4jx8v to beta-2\n',
        ),
      },
      by: 'placed',
    },
    'memory is what is missing on most nodes': {
      evidence: { 'describe.txt': describePod('0/7 nodes are available: 1 Too many pods, 6 Insufficient memory.') },
      by: 'otherReason',
    },
  },
  asks: {
    'the limit of the kubelet': { evidence: { 'describe.txt': describePod(full) }, for: 'kubelet.setting' },
  },
});
