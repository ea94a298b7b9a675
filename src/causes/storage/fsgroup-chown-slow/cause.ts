import { defineCause, excludes, line, minutes, namesOf, proves } from '../../define-cause.ts';

const slow = line(
  ['Setting volume ownership for', 'consider using OnRootMismatch'],
  ['pod-events', 'kubelet-log'],
  /Setting volume ownership for (?<volume>[^\s\\",]{1,300})[^\n]{0,60}?(?:taking longer than expected|, processed (?<files>\d{1,15}) files)|consider using OnRootMismatch/,
);
// No channel: mounting itself fails then.
const mountFails = line(
  ['mount failed: exit status', 'AttachVolume.Attach failed', 'rpc error: code ='],
  [],
  /mount failed: exit status|AttachVolume\.Attach failed|Volume\.\w{3,20} failed for volume[\s\S]{0,300}rpc error: code = /,
);

export const cause = defineCause({
  id: 'fsgroup-chown-slow',
  area: 'storage',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck'],

  text: {
    name: 'fsGroup walk takes long',
    title: 'Setting the group (fsGroup) of all files on volume {volume} takes long and delays {workload}',
    why: 'The pod sets fsGroup, so before every start the kubelet changes owner group and mode of each file on the volume{count}. With many files or slow network storage that takes minutes to hours, and the pod stays in ContainerCreating meanwhile, although the volume is mounted. It ends by itself, and begins anew at the next start.',
  },

  clues: {
    slow: proves(slow),
    event: proves('pod.event', ({ reason }) => reason === 'VolumePermissionChangeInProgress'),
    mountFails: excludes(mountFails),
  },
  says: {
    slow: 'the kubelet itself says that setting volume ownership takes long',
    event: 'an event says that permissions of the volume are being changed',
    mountFails: 'the volume is not even mounted: mounting fails with an error',
  },
  slots: (place, { slow: said, event }) => ({
    workload: place.kind === 'Workload' || place.kind === 'Pod' ? place.name : 'the pod',
    ...namesOf(place),
    volume: nameIn(said?.fields['volume'] ?? event?.message.match(/ownership for ([^\s,]{1,300})/)?.[1]),
    count: said?.fields['files'] ? ` (${said.fields['files']} files so far)` : '',
  }),

  fixes: [
    {
      say: 'Let the kubelet skip the walk when the root of the volume is right already: fsGroupChangePolicy OnRootMismatch',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'in the securityContext of the pod template; the first walk must end once',
          run: 'kubectl -n {{namespace}} patch {{target}} -p \'{"spec":{"template":{"spec":{"securityContext":{"fsGroupChangePolicy":"OnRootMismatch"}}}}}\'',
          on: 'cluster',
        },
      ],
      changes: [{ do: 'workload-set', field: 'securityContext.fsGroupChangePolicy', value: 'OnRootMismatch' }],
      verified: 'the next start takes seconds',
    },
    {
      say: 'See how far it is',
      risk: 'reads-only',
      steps: [
        {
          say: 'number of files on the volume',
          run: 'find /var/lib/kubelet/pods/*/volumes -xdev -maxdepth 4 -type d -name mount; df -i | grep kubelet',
          on: 'node',
        },
        {
          say: 'what the pod asks for',
          run: 'kubectl -n {{namespace}} get {{target}} -o yaml | grep -n -A6 securityContext',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Or do without: drop fsGroup where the files already belong to the user of the container, or let the CSI driver do it (fsGroupPolicy, mount options uid and gid)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'what the driver declares',
          run: 'kubectl get csidriver -o custom-columns=NAME:.metadata.name,FSGROUP:.spec.fsGroupPolicy',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/volume/volume_linux.go', 'kubernetes issue 69699', 'kubernetes pkg/kubelet/events/event.go'],
});

/** The volume of a path below the kubelet's directory. */
function nameIn(path: string | undefined): string {
  return path?.match(/~[\w-]{1,60}\/([^/\s]{1,253})/)?.[1] ?? path ?? 'of the pod';
}
