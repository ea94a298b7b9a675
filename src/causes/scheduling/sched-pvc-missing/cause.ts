import { defineCause, excludes, line, minutes, namesOf, needs, notByContainers, proves, supports } from '../../define-cause.ts';

const missing = line(
  ['persistentvolumeclaim "', 'persistentvolumeclaim \\"', 'persistentvolumeclaims "'],
  ['pod-events', 'pod-status', 'control-plane-log', 'kubelet-log'],
  /persistentvolumeclaims? \\*"(?<claim>[^"\\\s]{1,253})\\*" (?:(?<gone>not found)|(?<deleting>is being deleted)|bound to non-existent persistentvolume \\*"(?<volume>[^"\\\s]{1,253}))/i,
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

export const cause = defineCause({
  id: 'sched-pvc-missing',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'stable',
  explains: ['pending'],

  text: {
    name: 'Claim does not exist',
    title: 'PersistentVolumeClaim {claim} {fault}',
    why: 'The pod of {name} mounts the claim {claim}, which {fault}. The scheduler places no pod before its claims are there and bound, so it stays Pending until that is mended.',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    missing: proves(missing, notByContainers),
    volume: supports('pod.volume', ({ type }) => /^PersistentVolumeClaim/i.test(type)),
    placed: excludes(placed),
  },
  says: {
    pending: 'the pod waits for a node',
    missing: 'the scheduler says: claim {claim} {fault}',
    volume: 'it mounts the claim as its volume {volumeName}',
    placed: 'it has been placed since; the claim came a moment later',
  },
  slots: (place, { missing: said, volume }) => {
    const names = namesOf(place);
    const fields = said?.fields ?? {};
    return {
      ...names,
      name: place.name,
      claim: fields['claim'] ?? volume?.source ?? 'of the pod',
      claimName: fields['claim'] ?? volume?.source ?? 'CLAIM',
      volumeName: volume?.name ?? 'of the pod',
      ownVolume: volume?.source !== undefined && volume.source === fields['claim'] ? volume.name : '',
      fault:
        fields['deleting'] !== undefined
          ? 'is being deleted'
          : fields['volume'] !== undefined
            ? `is bound to the volume ${fields['volume']}, which does not exist any more`
            : `does not exist in ${names.where}`,
    };
  },

  fixes: [
    {
      say: 'Find out why claim {claim} is not there: other name, other namespace, not applied, deleted',
      risk: 'reads-only',
      steps: [
        {
          say: 'the claims of the namespace, and of others with that name',
          run: 'kubectl -n {{namespace}} get pvc; kubectl get pvc -A --field-selector metadata.name={{claimName}}',
          on: 'cluster',
        },
        { say: 'volumes that were kept when a claim was deleted', run: 'kubectl get pv | grep -E "Released|Available"', on: 'cluster' },
      ],
    },
    {
      say: 'Create claim {claim} in {where}; the waiting pod goes on by itself',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'apply its manifest or the chart that brings it; to get old data back, set volumeName to the kept volume',
          run: 'kubectl -n {{namespace}} apply -f CLAIM.yaml',
          on: 'cluster',
        },
      ],
      verified: 'kubectl get pvc shows Bound and the pod has the event Scheduled',
    },
    {
      say: 'Or let the pod use a claim that exists, if another one is meant',
      risk: 'restarts-pods',
      steps: [{ say: 'correct claimName in the pod template', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      changes: [
        {
          do: 'workload-set',
          field: 'volumes.{{ownVolume}}.persistentVolumeClaim.claimName',
          value: { ask: 'claim', says: 'a PersistentVolumeClaim of the namespace' },
        },
      ],
      verified: 'the pod has the event Scheduled',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes pkg/scheduler/framework/plugins/volumebinding/volume_binding.go',
    'kubernetes pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go',
  ],
});
