import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describePod = (message: string, more = '') => `Name:             vault-3
Namespace:        store
Node:             <none>
Status:           Pending
Controlled By:    StatefulSet/vault
Containers:
  vault:
    Image:      registry.example/vault:5
Volumes:
  data:
    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
    ClaimName:  data-vault-3
    ReadOnly:   false
Events:
  Type     Reason            Age                From               Message
  ----     ------            ----               ----               -------
  Warning  FailedScheduling  31s (x4 over 9m)   default-scheduler  ${message}
${more}`;
const full =
  '0/3 nodes are available: 3 node(s) exceed max volume count. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.';

testCause(cause, {
  finds: {
    'nodes that are out for other reasons': {
      evidence: { 'describe.txt': describePod('0/5 nodes are available: 2 Insufficient cpu, 3 node(s) exceed max volume count.') },
      confidence: 'probable',
    },
    'no slot left': {
      evidence: { 'describe.txt': describePod(full) },
      confidence: 'certain',
      place: 'StatefulSet store/vault',
      cites: ['describe.txt:17'],
      victims: 1,
    },
    'one line': { evidence: { 'paste.txt': `${full}\n` }, confidence: 'certain' },
    'a claim for one pod': {
      evidence: {
        'describe.txt': describePod(
          '0/3 nodes are available: 3 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod.',
        ),
      },
      confidence: 'certain',
    },
    'no room for a new volume': {
      evidence: { 'describe.txt': describePod('0/3 nodes are available: 3 node(s) did not have enough free storage.') },
      confidence: 'certain',
    },
    'the kubelet rejects it': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME      READY   STATUS                          RESTARTS   AGE\nstore       vault-3   0/1     VolumeAttachmentLimitExceeded   0          4m\n',
        'kubelet.log': `Nov 02 08:01:12 pine-4 kubelet[911]: I1102 08:01:12.447705     911 kubelet.go:2300] "Failed to admit pod" pod="store/vault-3" reason="VolumeAttachmentLimitExceeded" message="Node has reached its volume attachment limit, rejecting pod."\n`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'placed since': {
      evidence: {
        'describe.txt': describePod(
          full,
          '  Normal   Scheduled         4s                 default-scheduler  Successfully assigned store/vault-3 to red-2\n',
        ),
      },
      by: 'placed',
    },
    'another reason holds back more nodes': {
      evidence: { 'describe.txt': describePod('0/6 nodes are available: 1 node(s) exceed max volume count, 5 Insufficient cpu.') },
      by: 'otherLeads',
    },
  },
  asks: { 'which claims it has': { evidence: { 'paste.txt': `${full}\n` }, for: 'pod-spec' } },
});
