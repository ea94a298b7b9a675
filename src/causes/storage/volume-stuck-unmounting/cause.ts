import { defineCause, excludes, isOneOf, line, minutes, needs, proves, supports } from '../../define-cause.ts';

const busy = line(
  [
    'UnmountVolume.TearDown failed for volume',
    'UnmountDevice failed for volume',
    'UnmapVolume.TearDownDevice failed',
    'UnmountVolume.NewUnmounter',
  ],
  ['kubelet-log', 'pod-events'],
  /(?<step>Unm(?:ount|ap)\w{3,8}(?:\.\w{4,20})?) failed for volume \\*"(?<volume>[^"\\]{1,253})[\s\S]{0,900}?(?<reason>(?:device|target) (?:or resource |is )?busy|device is still mounted|still mounted by other references|directory not empty|not a directory|vol_data\.json\\*"?: no such file|transport endpoint is not connected|stale (?:NFS )?file handle|input\/output error|rpc error: code = \w{3,20} desc = [^\n\\"]{3,600}|timed out waiting for the condition)/i,
);
const orphan = line(
  [
    'found, but volume paths are still present on disk',
    'found, but volume subpaths are still present',
    'failed to rmdir() volume at path',
    'failed to rmdir() subpath at path',
    'occurred during reading volume dir from disk',
  ],
  'kubelet-log',
  /[Oo]rphaned pod \\*"(?<uid>[\da-f-]{8,36})\\*" found, but (?<what>volume (?:sub)?paths are still present|failed to rmdir\(\) (?:volume|subpath) at path (?<path>\/[^\s:\\"]{1,300})|[^\n]{0,200}?reading volume dir)/,
);
const heldPath = line(
  ['target is busy', 'device is busy', 'Device or resource busy'],
  ['host-tools', 'kubelet-log'],
  /(?<path>\/[^\s:'"\\]{0,60}kubelet\/(?:pods|plugins)\/[^\s:'"\\]{1,300})['"’]?: (?:target is busy|device is busy|[Dd]evice or resource busy)/,
);
// No channel: then nobody is there to unmount.
const noDriver = line('not found in the list of registered CSI drivers', []);

export const cause = defineCause({
  id: 'volume-stuck-unmounting',
  area: 'storage',
  at: 'Node',
  maturity: 'stable',
  explains: ['stuck-terminating'],
  effectOf: ['nfs-server-unreachable', 'ceph-cluster-unhealthy', 'csi-driver-not-registered', 'filesystem-corrupt-or-readonly'],

  text: {
    name: 'Volume cannot be unmounted',
    title: 'The kubelet of {node} cannot unmount volume {volume}: {reason}',
    why: 'A deleted pod is gone only when the kubelet has unmounted all its volumes. On {node} that fails for {volume}: {reason}. A process outside of the pod still uses the mount, another mount lies on top of it, the storage behind it does not answer, or the directory is not what the kubelet left there. Until it is cleared, the pod stays in Terminating and the volume cannot be attached elsewhere.',
  },

  clues: {
    terminating: needs('pod.symptom', isOneOf('stuck-terminating')),
    busy: proves(busy),
    orphan: supports(orphan),
    heldPath: supports(heldPath),
    noDriver: excludes(noDriver),
  },
  says: {
    terminating: 'a pod of the node hangs in Terminating',
    busy: 'unmounting {volume} fails: {reason}',
    orphan: 'the kubelet finds leftovers of a deleted pod: {path}',
    heldPath: 'a path of a volume is in use: {path}',
    noDriver: 'the driver that should unmount it is not there',
  },
  slots: (place, { busy: said, orphan: left, heldPath: held }) => ({
    node: place.name,
    volume: shortOf(said?.fields['volume']),
    reason: reasonIn(said?.fields['reason']) ?? (held ? 'its mount is busy' : undefined) ?? 'directories of a deleted pod are left over',
    path: held?.fields['path'] ?? left?.fields['path'] ?? `/var/lib/kubelet/pods/${left?.fields['uid'] ?? 'POD-UID'}/volumes`,
    grep: shortOf(said?.fields['volume']) === 'of the pod' ? (left?.fields['uid'] ?? 'kubelet/pods') : shortOf(said?.fields['volume']),
  }),

  fixes: [
    {
      say: 'Find out who holds the mount',
      risk: 'reads-only',
      steps: [
        {
          say: 'its mounts, also inside other mount namespaces',
          run: 'findmnt | grep {{grep}}; grep -l {{grep}} /proc/*/mountinfo',
          on: 'node',
        },
        { say: 'processes with open files there', run: 'fuser -vm MOUNTPOINT; lsof +f -- MOUNTPOINT', on: 'node' },
        {
          say: 'what the kubelet says each time',
          run: 'journalctl -u kubelet --no-pager | grep -iE "unmount|teardown|orphaned" | tail -20',
          on: 'node',
        },
      ],
    },
    {
      say: 'End the holder (often an agent that mounts the root of the host), then let the kubelet unmount by itself',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'agents with hostPath / or /var/lib/kubelet need mountPropagation HostToContainer; restart the one that holds it',
          run: 'kubectl get pods -A -o wide --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
      ],
      verified: 'the pod disappears and the VolumeAttachment with it',
    },
    {
      say: 'Unmount by hand once nobody writes there any more',
      risk: 'may-lose-data',
      steps: [
        { say: 'ordinarily first; lazily only for a server that is gone', run: 'umount MOUNTPOINT || umount -l MOUNTPOINT', on: 'node' },
        {
          say: 'leftover directories: rmdir only, never rm -r: what looks like a leftover may still be the mounted volume',
          run: 'rmdir {{path}}',
          on: 'node',
        },
        { say: 'vol_data.json is missing: restart the kubelet after the unmount', run: 'systemctl restart kubelet', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/kubelet_volumes.go',
    'kubernetes pkg/volume/util/operationexecutor/operation_generator.go',
    'kubernetes issues 45464, 60987',
  ],
});

/** A unique name carries its plug-in in front of the volume. */
/** Of what a driver passes on, the words of umount itself. */
function reasonIn(text: string | undefined): string | undefined {
  const known = text?.match(
    /(?:target|device) is busy|[Dd]evice or resource busy|not mounted|[Ss]tale (?:NFS )?file handle|[Ii]nput\/output error/,
  );
  return known?.[0] ?? text?.replace(/^rpc error: code = \w{2,30} desc = /, '').slice(0, 160);
}

function shortOf(name: string | undefined): string {
  return name?.split(/[/^]/).at(-1) || 'of the pod';
}
