import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const ASKED = ['pod-events', 'pod-spec', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'] as const;
const cannotMount = line(
  ['failed to mount rootfs component', 'failed to mount /', 'error creating overlay mount', 'mounting overlay', 'creating overlay mount'],
  ASKED,
  /failed to mount rootfs component(?: [^\n]{0,2000}?\})?: (?<error>invalid argument|no such device|operation not permitted|permission denied|too many levels of symbolic links|stale file handle|argument list too long)|failed to mount \S{0,200}containerd-mount\d{1,20}[^\n]{0,2000}?: (?<temporary>invalid argument|no such device|operation not permitted|permission denied)|creating overlay mount to (?<path>\/[^\s,"\\]{1,300})[^\n]{0,3000}?: (?<overlay>invalid argument|no such device|operation not permitted|too many levels of symbolic links|stale file handle|device or resource busy)/,
);
const notOffered = line(
  [
    'snapshotter cannot be enabled',
    'snapshotter not loaded',
    'failed to find snapshotter',
    'snapshotter overlayfs was not found',
    'unable to get snapshotter',
    'error initializing graphdriver',
    'kernel does not support overlay',
    "'overlay' is not supported over",
    "'overlay' not found as a supported filesystem",
    'driver not supported',
    'unknown filesystem type \\"overlay',
    'max depth exceeded',
    'does not support d_type. If the backing filesystem',
  ],
  [...ASKED, 'system-log'],
  /\\*"?(?<name>[\w-]{3,40})\\*"? snapshotter cannot be enabled for \\*"?(?<root>\/[^\s"\\,]{1,200})(?:[^\n]{0,10}?, try using [^\n:]{3,80}: |[^\n]{0,200}?(?::|,) )(?<reason>[^\n"]{5,160})|snapshotter not loaded: (?<loaded>[\w-]{3,40})|failed to find snapshotter \\*"(?<absent>[\w-]{3,40})|snapshotter (?<missing>[\w-]{3,40}) was not found|unable to get snapshotter|error initializing graphdriver: (?<graph>[^\n"]{3,200})|(?<kernel>kernel does not support overlay fs[^\n"]{0,200})|'overlay' is not supported over (?<over>\w{2,20})|'overlay' not found as a supported filesystem|prior storage driver (?<prior>[\w-]{3,40}) (?:failed: driver not supported|is not supported)|(?<depth>max depth exceeded)|(?<untyped>\/[^\s"\\]{1,200} does not support d_type)\. If the backing filesystem/i,
);
const kernelSays = line(
  ['overlayfs: ', 'overlayfs:'],
  'kernel-log',
  /overlayfs: (?<words>filesystem on '[^']{1,300}' not supported(?: as upperdir)?|upper fs (?:does not support d_type|needs to support d_type|missing required features)|maximum fs stacking depth exceeded|workdir and upperdir must be [^\n]{3,60}|too many lower directories)/,
);
const noType = line(
  ['d_type support', 'd_type: false', 'Supports d_type: false', ' ftype=0'],
  [...ASKED, 'host-state', 'host-tools', 'docker-config'],
  /(?:formatted )?without d_type support|Supports d_type: false|\bftype=0\b/i,
);
const noModule = line(
  ['overlay not found in directory', 'FATAL: Module overlay'],
  ['host-tools', 'system-log'],
  /Module overlay not found/,
);
const damaged = line(
  ['failed to stat parent', 'unexpected commit digest', 'no space left on device'],
  [],
  /failed to stat parent|unexpected commit digest|no space left on device/,
);

export const cause = defineCause({
  id: 'overlayfs-or-snapshotter-failure',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: [
    'creating',
    'init-stuck',
    'create-error',
    'config-error',
    'image-pull',
    'crash-loop',
    'runtime-down',
    'kubelet-down',
    'node-not-ready',
    'other-trouble',
  ],
  effectOf: ['kernel-too-old-or-module-missing'],

  text: {
    name: 'Overlay storage does not work',
    title: 'The storage driver (overlayfs) of the runtime on {node} does not work: {error}',
    why: 'The runtime stacks the layers of an image with overlayfs (or another snapshotter or storage driver) on the file system below its data folder. On {node} that mount fails: {error}. {hint} No container can get its root file system there.',
  },

  clues: {
    cannotMount: proves(cannotMount, notByContainers),
    notOffered: proves(notOffered, notByContainers),
    kernelSays: proves(kernelSays, notByContainers),
    noType: supports(noType, notByContainers),
    noModule: proves(noModule),
    damaged: excludes(damaged, notByContainers),
  },
  says: {
    cannotMount: 'the root file system cannot be mounted: {error}',
    notOffered: 'the snapshotter or storage driver is refused: {error}',
    kernelSays: 'the kernel says: {kernel}',
    noType: 'the file system below was made without d_type (XFS ftype=0)',
    noModule: 'the kernel module overlay is not there',
    damaged: 'single layers are missing or cut off: the stored image is damaged, or the disk full',
  },
  slots: (place, { cannotMount: mount, notOffered: offer, kernelSays: kernel, noType: type, noModule: gone }) => {
    const fields = { ...mount?.fields, ...offer?.fields };
    const words = kernel?.fields['words'];
    const said =
      fields['error'] ??
      fields['temporary'] ??
      fields['overlay'] ??
      fields['reason'] ??
      fields['graph'] ??
      fields['untyped'] ??
      fields['kernel'] ??
      fields['depth'] ??
      (fields['over'] ? `overlay is not supported over ${fields['over']}` : undefined) ??
      (offer
        ? `${fields['name'] ?? fields['loaded'] ?? fields['missing'] ?? fields['absent'] ?? fields['prior'] ?? 'overlayfs'} is not available`
        : undefined);
    const error = (
      words ??
      said ??
      (type ? 'no d_type support (XFS ftype=0)' : gone ? 'the kernel has no module overlay' : 'the mount fails')
    )
      .trim()
      .slice(0, 160);
    return {
      node: place.name,
      error,
      kernel: words ?? '',
      hint: hintOf(`${error} ${said ?? ''}${type ? ' d_type' : ''}`),
      module: !gone && (fields['error'] ?? fields['temporary']) === 'no such device' ? 'overlay' : '',
    };
  },

  fixes: [
    {
      say: 'See what lies below the data folder of the runtime, and what the kernel says',
      risk: 'reads-only',
      steps: [
        {
          say: 'file system, ftype and kernel messages',
          run: 'findmnt -T /var/lib/containerd; findmnt -T /var/lib/docker; xfs_info /var/lib 2>/dev/null | grep ftype; dmesg | grep -i overlayfs | tail',
          on: 'node',
        },
        {
          say: 'module and snapshotters',
          run: 'modprobe overlay; grep overlay /proc/filesystems; ctr plugins ls | grep snapshotter',
          on: 'node',
        },
      ],
    },
    {
      say: 'Load the overlay module, now and at boot',
      risk: 'touches-node',
      for: ['noModule'],
      steps: [
        { say: 'load it', run: 'modprobe overlay && echo overlay > /etc/modules-load.d/overlay.conf', on: 'node' },
        { say: 'restart the runtime', run: 'systemctl restart containerd', on: 'node' },
      ],
      changes: [
        { do: 'module', name: '{{module}}' },
        { do: 'units', action: 'restart', units: ['containerd'] },
      ],
      verified: 'sandboxes and containers are created on {node}',
    },
    {
      say: 'Or use another snapshotter where overlayfs cannot work: fuse-overlayfs or native (containerd, k3s --snapshotter)',
      risk: 'touches-node',
      for: ['notOffered'],
      steps: [
        {
          say: 'containerd: snapshotter = "native" or "fuse-overlayfs" in the CRI section of config.toml; k3s: --snapshotter=native',
          run: 'systemctl restart containerd',
          on: 'node',
        },
      ],
    },
    {
      say: 'Put the data folder on ext4, or on XFS made with ftype=1, not on NFS, another overlay, or ZFS',
      risk: 'may-lose-data',
      steps: [
        { say: 'move the pods away', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        {
          say: 'format a new disk (all its data is lost) and mount it at the data folder',
          run: 'mkfs.xfs -n ftype=1 /dev/DISK',
          on: 'node',
        },
        { say: 'restart and open the node again', run: 'systemctl restart containerd kubelet', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd plugins/snapshots/overlay, core/mount/mount_linux.go',
    'moby daemon/graphdriver/overlay2',
    'containers/storage drivers/overlay',
    'Linux fs/overlayfs/super.c, params.c',
    'containerd issues 3068, 9260; k3s issue 924',
  ],
});

function hintOf(text: string): string {
  if (/d_type|ftype/.test(text)) return 'That XFS file system was formatted with ftype=0, which overlayfs cannot use.';
  if (/no such device|no module|not available|not found/.test(text)) return 'The kernel module overlay is not loaded or not built.';
  if (/stacking depth|supported over|upperdir|as upper|not supported/.test(text))
    return 'The data folder lies on a file system overlayfs cannot write to (another overlay, NFS, ZFS, eCryptfs).';
  if (/max depth|too many lower/.test(text)) return 'The image has more layers than the driver can stack.';
  if (/operation not permitted|permission denied/.test(text))
    return 'The runtime may not mount overlayfs here: it runs inside a container or user namespace.';
  if (/several valid graphdrivers|prior storage driver/.test(text)) return 'The data folder holds data of another storage driver.';
  return 'Usual reasons: the data folder lies on another overlay, an old kernel, or a layer folder that has vanished.';
}
