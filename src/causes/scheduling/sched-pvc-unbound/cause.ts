import { defineCause, excludes, isOneOf, line, minutes, namesOf, needs, proves, supports } from '../../define-cause.ts';

const unbound = line(
  [
    'unbound immediate PersistentVolumeClaims',
    'unbound PersistentVolumeClaims',
    'pod has unbound',
    'binding volumes: ',
    'PVC is not bound',
  ],
  ['pod-events', 'pod-status', 'control-plane-log', 'kubelet-log'],
  /unbound (?:immediate )?PersistentVolumeClaims|binding volumes: (?:timed out waiting for the condition|provisioning failed for PVC|context deadline exceeded)|error processing PVC (?<claim>[^\s:]{1,253}): PVC is not bound/,
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

export const cause = defineCause({
  id: 'sched-pvc-unbound',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'stable',
  explains: ['pending', 'creating', 'init-stuck'],
  effectOf: [
    'pvc-no-storageclass-or-default',
    'pvc-provisioner-not-running',
    'pvc-provisioning-fails',
    'pv-lost-or-mismatch',
    'csi-driver-not-registered',
  ],

  text: {
    name: 'Claim not bound',
    title: 'The volume claim of {name} is not bound: {claim}',
    why: 'The pod mounts {claim}, a PersistentVolumeClaim without a volume, and the scheduler places no pod before its claims are bound. Why the claim stays Pending stands in the events of the claim: a missing or misspelt StorageClass, no provisioner, or no PersistentVolume that fits.',
  },

  clues: {
    pending: needs('pod.symptom', isOneOf('pending', 'creating', 'init-stuck')),
    message: proves(unbound),
    claim: supports('pod.volume', ({ type }) => /^PersistentVolumeClaim/i.test(type)),
    placed: excludes(placed),
  },
  says: {
    pending: 'the pod waits for a node or for its volumes',
    message: 'the scheduler or the kubelet says that a claim of the pod is not bound',
    claim: 'it mounts {claim}',
    placed: 'it has been placed since; the claim was bound a moment later',
  },
  slots: (place, { claim, message }) => ({
    ...namesOf(place),
    name: place.name,
    claim: message?.fields['claim']
      ? `PersistentVolumeClaim ${message.fields['claim']}`
      : claim
        ? `PersistentVolumeClaim ${claim.source ?? claim.name}`
        : 'one of its PersistentVolumeClaims',
    claimName: claim?.source ?? message?.fields['claim']?.replace(/^.*\//, '') ?? 'CLAIM',
  }),

  fixes: [
    {
      say: 'Cure the claim: its events say why it has no volume',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'state and events of the claim, and the storage classes there are',
          run: 'kubectl -n {{namespace}} describe pvc {{claimName}}; kubectl get storageclass; kubectl get pv',
          on: 'cluster',
        },
        {
          say: 'no class is set and there is no default: mark a StorageClass as default, or name one in the claim',
          run: `kubectl patch storageclass CLASS -p '{"metadata":{"annotations":{"storageclass.kubernetes.io/is-default-class":"true"}}}'`,
          on: 'cluster',
        },
        {
          say: 'a class without a provisioner: create a PersistentVolume that fits in size, class and access mode, or install the provisioner',
          on: 'cluster',
        },
      ],
      verified: 'kubectl get pvc shows Bound and the pod has the event Scheduled',
    },
    {
      say: 'Create the claim anew with the right StorageClass; a claim cannot change its class',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'only while it is Pending, so that no data hangs on it',
          run: 'kubectl -n {{namespace}} get pvc {{claimName}} -o yaml > claim.yaml && kubectl -n {{namespace}} delete pvc {{claimName}}',
          on: 'cluster',
        },
        {
          say: 'correct storageClassName in claim.yaml (for a StatefulSet in volumeClaimTemplates) and apply it',
          run: 'kubectl -n {{namespace}} apply -f claim.yaml',
          on: 'cluster',
        },
      ],
      verified: 'kubectl get pvc shows Bound',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/scheduler/framework/plugins/volumebinding/volume_binding.go'],
});
