import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const refused = line(
  ['applyFSGroup failed for vol', 'SetVolumeOwnership', 'Failed to set volume ownership'],
  ['pod-events', 'kubelet-log'],
  withContext(
    /(?:applyFSGroup failed for vol|SetVolumeOwnership|set volume ownership)[^\n]{0,400}?: (?<call>\w{3,12}) (?<path>\/[^\s:"\\]{1,400}): (?<error>permission denied|operation not permitted|read-only file system|operation not supported|input\/output error|invalid argument|stale NFS file handle)/,
    { may: [NAMED_VOLUME] },
  ),
);
/** Drivers that set the mode or owner of the mounted root themselves. */
const byDriver = line(
  ['desc = chmod ', 'desc = chown ', 'desc = lchown '],
  ['pod-events', 'kubelet-log', 'container-log'],
  withContext(
    /desc = (?<call>l?chown|chmod) (?<path>\/[^\s:"\\]{1,400}): (?<error>permission denied|operation not permitted|read-only file system|operation not supported|invalid argument)/,
    { may: [NAMED_VOLUME] },
  ),
);
const claim = supports('pod.volume', ({ type }) => /PersistentVolumeClaim|NFS|CSI/i.test(type));
// No channel: the kubelet goes on to the containers only after this.
const started = excludes('pod.event', ({ reason }) => reason === 'Started' || reason === 'Pulled');

export const cause = defineCause({
  id: 'fsgroup-change-refused',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'other-trouble'],
  effectOf: ['filesystem-corrupt-or-readonly', 'kubelet-root-dir-nonstandard'],

  text: {
    name: 'Owner of the volume cannot be changed',
    title: 'Volume {volume} is mounted, but its storage refuses the change of owner or mode (fsGroup): {error}',
    why: 'The pod of {workload} sets fsGroup (or its driver sets a mode), so after mounting the kubelet, as root, changes group and mode of every file on volume {volume}. The storage refuses that at {path}: {error}. {reason} So the containers are not started, although the mount itself works.',
  },

  clues: {
    refused: proves(refused),
    byDriver: proves(byDriver),
    claim,
    started,
  },
  says: {
    refused: 'the kubelet may not set the group of the volume: {call} {path}: {error}',
    byDriver: 'the driver may not set the mode or owner of the volume: {error}',
    claim: 'the pod mounts a claim or share',
    started: 'its containers were started since',
  },
  slots: (place, { refused: kubelet, byDriver: driver }) => {
    const fields = kubelet?.fields ?? driver?.fields ?? {};
    const error = fields['error'] ?? 'operation not permitted';
    return {
      workload: place.kind === 'Workload' || place.kind === 'Pod' ? place.name : 'the workload',
      ...namesOf(place),
      volume: fields['volume'] ?? 'of the claim',
      path: fields['path']?.replace(/^.{0,300}?\/mount(?=\/|$)/, 'the volume') ?? 'the volume',
      call: fields['call'] ?? 'chown',
      error,
      reason: reasonOf(error),
    };
  },

  fixes: [
    {
      say: 'See which driver it is, what the pod asks for, and who owns the files on the share',
      risk: 'reads-only',
      steps: [
        {
          say: 'security context of the workload',
          run: 'kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A6 "securityContext:"',
          on: 'cluster',
        },
        {
          say: 'fsGroupPolicy of the drivers: File changes owners always, None never',
          run: 'kubectl get csidriver -o custom-columns=NAME:.metadata.name,FSGROUP:.spec.fsGroupPolicy',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Leave the owners to the server: take fsGroup out of the pod and run it as the user that owns the files (runAsUser, supplementalGroups)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the folder on the share then needs that owner or mode once, set on the server',
          run: `kubectl -n {{namespace}} patch {{target}} --type json -p '[{"op":"remove","path":"/spec/template/spec/securityContext/fsGroup"}]'`,
          on: 'cluster',
        },
        {
          say: 'for all pods of a driver for network shares: fsGroupPolicy None (csi-driver-nfs: feature.enableFSGroupPolicy=false and mountPermissions 0)',
          run: 'kubectl get csidriver -o yaml | grep -nE "name:|fsGroupPolicy"',
          on: 'cluster',
        },
      ],
      verified: 'the pod gets Started, and the program writes its files',
    },
    {
      say: 'Or let root change owners on the NFS export (no_root_squash), if the server may trust these nodes',
      risk: 'touches-node',
      steps: [
        {
          say: 'on the NFS server: option no_root_squash for the addresses of the nodes',
          run: 'cat /etc/exports; exportfs -ra',
          on: 'node',
        },
      ],
      verified: 'the pod gets Started, and the program writes its files',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/volume/csi/csi_mounter.go (applyFSGroup), pkg/volume/volume_linux.go (SetVolumeOwnership)',
    'kubernetes-csi/csi-driver-nfs pkg/nfs/nodeserver.go (mountPermissions)',
  ],
});

function reasonOf(error: string): string {
  if (/read-only/.test(error)) return 'The volume is mounted read-only, or its file system was set read-only after an error.';
  if (/not supported|invalid argument/.test(error)) return 'Its file system (SMB, object storage, FUSE) keeps no owners at all.';
  return 'On NFS root of the node becomes nobody (root_squash, all_squash), who may not change files of others nor enter folders of mode 0700; some shares (SMB, object storage) keep no owners at all.';
}
