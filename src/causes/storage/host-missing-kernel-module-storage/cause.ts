import { defineCause, excludes, line, minutes, NAMED_VOLUME, proves, supports, withContext } from '../../define-cause.ts';

const MODULES =
  'rbd|ceph|nbd|nvme[_-]tcp|nvme[_-]rdma|nvme[_-]fabrics|dm[_-]crypt|dm[_-]multipath|iscsi_tcp|libiscsi|libiscsi_tcp|scsi_transport_iscsi|drbd|drbd_transport_tcp|zfs|fuse|xfs|btrfs|nfsd?|nfsv4|loop|target_core_mod|target_core_user|tcm_loop|uio_pci_generic|vfio_pci|bcache|beegfs|lustre|glusterfs|ocfs2|gfs2';
const SAID_BY = ['container-log', 'pod-events', 'kubelet-log', 'system-log', 'kernel-log'] as const;
const absent = line(
  [
    'modprobe: FATAL: Module',
    'not found in directory /lib/modules',
    'not found in modules.dep',
    'Failed to find module',
    'modprobe: ERROR: could not insert',
  ],
  SAID_BY,
  withContext(
    new RegExp(
      `[Mm]odule '?(?<module>${MODULES})'? not found|Failed to find module '(?<asked>${MODULES})'|could not insert '(?<refused>${MODULES})': (?<why>[A-Z][\\w ]{3,50})`,
    ),
    { may: [NAMED_VOLUME, /in directory (?<directory>\/lib\/modules\/[^\s\\"]{1,100})/] },
  ),
);
const toolSays = line(
  [
    'failed to load rbd kernel module',
    'occurred while running modprobe args',
    'ceph filesystem not supported by the system',
    "unknown filesystem type 'ceph'",
    'fuse: device not found',
    '/dev/nvme-fabrics: No such file',
    '/dev/nvme-fabrics, No such file',
    'Failed to set nvme_core io_timeout',
    'iSCSI driver not found',
    'Could not insert module tcp',
    'Could not load DRBD kernel module',
    'mount.nfs: No such device',
    'mount.nfs4: No such device',
  ],
  SAID_BY,
  withContext(
    /failed to load (?<rbd>rbd) kernel module|occurred while running modprobe args: \[(?<args>[\w -]{2,60})\]|(?<ceph>ceph) filesystem not supported by the system|unknown filesystem type '(?<type>ceph)'|(?<fuse>fuse): device not found|\/dev\/(?<nvme>nvme-fabrics)[:,] No such file|Failed to set (?<core>nvme_core) io_timeout|(?<iscsi>iSCSI) driver not found|Could not insert module (?<tcp>tcp)|Could not load (?<drbd>DRBD) kernel module|mount\.(?<nfs>nfs)4?: No such device/,
    { may: [NAMED_VOLUME] },
  ),
);
const notLoaded = line(
  ['are not loaded on node', '] are not loaded', 'KernelModulesNotLoaded'],
  ['objects', 'container-log'],
  /[Kk]ernel modules \[(?<modules>[\w -]{2,120})\] are not loaded/,
);
// No channel: there the module is loaded and refuses the image.
const features = line(
  ['image feature set mismatch', 'image uses unsupported features'],
  [],
  /feature set mismatch|image uses unsupported features/i,
);

export const cause = defineCause({
  id: 'host-missing-kernel-module-storage',
  area: 'storage',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'crash-loop', 'restarts', 'init-crash', 'not-ready', 'other-trouble'],

  text: {
    name: 'Kernel module missing',
    title: 'The kernel of {node} has no module {module}, which the storage needs',
    why: 'The storage driver asks the kernel of {node} to load the module {module}, and modprobe does not find or cannot insert it{reason}. The kernel package was built or installed without it (slim cloud kernel, no linux-modules-extra), the kernel was updated and the node not rebooted, or the container does not see /lib/modules of its host. No volume of that kind can be mapped or mounted on this node.',
  },

  clues: {
    absent: proves(absent),
    toolSays: proves(toolSays),
    notLoaded: supports(notLoaded),
    features: excludes(features),
  },
  says: {
    absent: 'modprobe cannot load the module {module}',
    toolSays: 'the driver has no kernel module {module} to work with',
    notLoaded: 'the storage system lists modules that are not loaded: {modules}',
    features: 'the module is loaded; the image asks for features it does not know',
  },
  slots: (place, { absent: probe, toolSays: said, notLoaded: listed }) => {
    const named = probe?.fields['module'] ?? probe?.fields['asked'] ?? probe?.fields['refused'] ?? moduleIn(said?.fields ?? {});
    return {
      node: place.name,
      module: named ?? listed?.fields['modules']?.split(' ')[0] ?? 'of the storage driver',
      name: named ?? listed?.fields['modules']?.split(' ')[0] ?? 'MODULE',
      reason: probe?.fields['why'] ? ` (${probe.fields['why']})` : probe?.fields['directory'] ? ` in ${probe.fields['directory']}` : '',
      moduleName: named ?? '',
      kernelRelease: /^\/lib\/modules\/(?<release>[\w.+-]{1,80})/.exec(probe?.fields['directory'] ?? '')?.groups?.['release'] ?? '',
      modules: listed?.fields['modules'] ?? 'some',
    };
  },

  fixes: [
    {
      say: 'See whether the running kernel has the module',
      risk: 'reads-only',
      steps: [{ say: 'module, running kernel, kernels with modules', run: 'modinfo {{name}}; uname -r; ls /lib/modules', on: 'node' }],
    },
    {
      say: 'Install the extra modules of the running kernel and load {module}',
      risk: 'touches-node',
      steps: [
        {
          say: 'Ubuntu, Debian',
          run: 'apt-get update && apt-get install -y linux-modules-extra-$(uname -r)',
          on: 'node',
          family: 'debian',
        },
        {
          say: 'RHEL, Rocky, Alma, Fedora',
          run: 'dnf install -y kernel-modules-extra-$(uname -r) kernel-modules-$(uname -r)',
          on: 'node',
          family: 'rhel',
        },
        {
          say: 'SUSE: the full kernel instead of kernel-default-base, then reboot',
          run: 'zypper install -y kernel-default',
          on: 'node',
          family: 'suse',
        },
        { say: 'Alpine: the full linux-lts or linux-virt package', run: 'apk add linux-lts', on: 'node', family: 'alpine' },
        { say: 'load it now and at boot', run: 'modprobe {{name}} && echo {{name}} > /etc/modules-load.d/{{name}}.conf', on: 'node' },
      ],
      changes: [
        { do: 'package', names: { debian: 'linux-modules-extra-{{kernelRelease}}', rhel: 'kernel-modules-extra-{{kernelRelease}}' } },
        { do: 'module', name: '{{moduleName}}' },
      ],
      verified: 'lsmod | grep {module} prints a line, and the kubelet mounts by itself',
    },
    {
      say: 'Reboot a node whose running kernel no longer has its modules on disk (updated since)',
      risk: 'moves-pods',
      steps: [{ say: 'drain first', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' }],
    },
    {
      say: 'Nodes that are containers themselves (kind, k3d): load the module on the machine below and mount its /lib/modules into the nodes',
      risk: 'touches-node',
      steps: [{ say: 'on the machine itself', run: 'modprobe {{name}}', on: 'node' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kmod tools/modprobe.c',
    'ceph-csi internal/rbd/rbd_attach.go, internal/cephfs/mounter',
    'ceph src/krbd.cc',
    'open-iscsi include/iscsi_err.h',
  ],
});

function moduleIn(fields: Readonly<Record<string, string>>): string | undefined {
  if (fields['args']) return fields['args'].split(' ')[0];
  if (fields['nvme'] || fields['core']) return 'nvme_tcp';
  if (fields['iscsi'] || fields['tcp']) return 'iscsi_tcp';
  if (fields['drbd']) return 'drbd';
  return fields['rbd'] ?? fields['ceph'] ?? fields['type'] ?? fields['fuse'] ?? fields['nfs'];
}
