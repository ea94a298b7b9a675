import { defineCause, excludes, line, minutes, namesOf, notByContainers, proves, supports, versionBelow } from '../../define-cause.ts';

const ASKED = ['pod-events', 'pod-spec', 'kubelet-log', 'containerd-log', 'crio-log'] as const;
const refused = line(
  [
    'spec.hostUsers: false',
    'does not support user namespaces',
    "doesn't support user namespaces",
    'support for user namespaces',
    'user namespaces are not supported',
    'UserNamespacesSupport',
  ],
  ASKED,
  /can't set `?spec\.hostUsers: false`?, (?<kubelet>[^\n"]{5,160})|RuntimeClass handler \\*"(?<handler>[^"\\]{0,100})\\*" does not support user namespaces|(?:runtime|kernel|runc|crun) (?:does not|doesn't) support user namespaces|user namespaces are not supported|UserNamespacesSupport feature (?:gate )?is (?:not enabled|disabled)/,
);
const idmap = line(
  [
    'MOUNT_ATTR_IDMAP',
    'idmap mounts',
    'idmapped mounts',
    'create mapped mount for',
    'cannot be mapped to a host ID',
    'mount_setattr',
    'slow_chown',
  ],
  ASKED,
  /failed to set MOUNT_ATTR_IDMAP on (?<mount>\S{1,200}?): (?<error>[\w ]{5,60})|(?<snapshotter>[\w-]{3,40}) doesn't support idmap mounts|create mapped mount for \\*"(?<path>[^"\\]{1,200})[^\n]{0,400}?: (?<mapped>[\w ]{5,60})|container ID (?<id>\d{1,12}) cannot be mapped to a host ID|idmap(?:ped)? mounts? (?:are |is )?(?:not supported|unsupported)|mount_setattr[^\n]{0,120}?(?<attr>invalid argument|function not implemented|operation not permitted)/i,
);
const limit = line(
  ['max_user_namespaces', 'unshare: no space left on device', 'fork/exec /proc/self/exe: no space left on device'],
  [],
  /max_user_namespaces|unshare: no space left|self\/exe: no space left/,
);

export const cause = defineCause({
  id: 'user-namespace-unsupported',
  area: 'runtime',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'create-error', 'init-stuck', 'failed', 'crash-loop', 'no-pods', 'pending', 'other-trouble'],
  effectOf: ['kernel-too-old-or-module-missing'],

  text: {
    name: 'User namespaces not supported',
    title: 'The pod wants a user namespace (hostUsers: false), which its node does not support: {what}',
    why: 'With hostUsers: false the users of a pod are mapped to unused IDs of the host. Kubelet, runtime and kernel must all support that: containerd 2.0 or CRI-O 1.25, runc 1.2 or crun 1.9, Linux 6.3 (idmapped mounts for tmpfs and for the file system of each volume). Here it fails: {what}.',
  },

  clues: {
    refused: proves(refused, notByContainers),
    idmap: proves(idmap, notByContainers),
    oldRuntime: supports(
      'node.info',
      ({ runtime, runtimeVersion }) => runtime === 'containerd' && runtimeVersion !== undefined && versionBelow(runtimeVersion, '2.0'),
    ),
    limit: excludes(limit),
  },
  says: {
    refused: 'user namespaces are refused: {what}',
    idmap: 'a mount cannot be mapped to the users of the pod: {what}',
    oldRuntime: 'the node runs containerd {version}; 2.0 is the first with full support',
    limit: 'the number of user namespaces is limited to too few on the host',
  },
  slots: (place, { refused: said, idmap: mount, oldRuntime }) => {
    const fields = { ...said?.fields, ...mount?.fields };
    const where = fields['mount'] ?? fields['path'];
    return {
      ...namesOf(place),
      version: oldRuntime?.runtimeVersion ?? 'older than 2.0',
      what: (
        fields['kubelet'] ??
        (fields['handler'] !== undefined
          ? `RuntimeClass handler ${fields['handler'] || 'of the default'} does not support it`
          : undefined) ??
        (where ? `no idmapped mount on ${where} (${(fields['error'] ?? fields['mapped'] ?? 'refused').trim()})` : undefined) ??
        (fields['id'] ? `ID ${fields['id']} lies outside the mapped range` : undefined) ??
        (mount ? 'no idmapped mounts' : 'the runtime does not support it')
      ).slice(0, 160),
    };
  },

  fixes: [
    {
      say: 'See what each part of the node supports',
      risk: 'reads-only',
      steps: [
        {
          say: 'handlers with the feature userNamespaces',
          run: 'kubectl get nodes -o jsonpath=\'{range .items[*]}{.metadata.name}{" "}{.status.runtimeHandlers}{"\\n"}{end}\'',
          on: 'cluster',
        },
        { say: 'versions', run: 'uname -r; containerd --version; runc --version; crun --version', on: 'node' },
      ],
    },
    {
      say: 'Run the pod without a user namespace: remove hostUsers: false (or keep it to nodes that support it)',
      risk: 'restarts-pods',
      steps: [{ say: 'remove hostUsers, or add a nodeSelector', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      verified: 'the pod starts',
    },
    {
      say: 'Or upgrade the nodes: containerd 2.0 and runc 1.2, or CRI-O with crun, on Linux 6.3 or later',
      risk: 'touches-node',
      steps: [
        { say: 'Debian, Ubuntu', run: 'apt-get update && apt-get install --only-upgrade -y containerd.io', on: 'node', family: 'debian' },
        { say: 'RHEL, CentOS', run: 'yum update -y containerd.io kernel', on: 'node', family: 'rhel' },
        {
          say: 'volumes on file systems without idmapped mounts (NFS, some FUSE) cannot be used by such pods; runAsUser must be below 65536',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/userns/userns_manager.go',
    'containerd internal/cri/server/podsandbox/sandbox_run_linux.go, core/mount/mount_idmapped_linux.go',
    'opencontainers/runc libcontainer/mount_linux.go',
    'kubernetes documentation: User Namespaces',
    'kubernetes issue 114011; containerd issue 12329',
  ],
});
