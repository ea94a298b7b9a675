import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const denied = line(
  'access denied by server while mounting',
  ['pod-events', 'kubelet-log', 'container-log'],
  /mount\.nfs4?: access denied by server while mounting (?<export>[^\s\\"']{1,300})/,
);
const noExport = line(
  ['reason given by server', 'failed, reason given'],
  ['pod-events', 'kubelet-log', 'container-log'],
  /mount\.nfs4?: mounting (?<export>[^\s\\"]{1,300}) failed, reason given by server: ?\s{0,4}(?<reason>[A-Z][\w ]{3,60})/,
);
const notPermitted = line(
  ['mount.nfs: Operation not permitted', 'mount.nfs4: Operation not permitted'],
  ['pod-events', 'kubelet-log', 'container-log'],
);
const efs = line('amazon-efs-mount-watchdog', ['pod-events', 'kubelet-log', 'container-log']);
/** The mount helper of EFS prints the line about its watchdog before any failure. */
const otherReason = line(
  ['Failed to locate an available port', 'Failed to resolve '],
  [],
  /Failed to locate an available port|Failed to resolve [\\"]{1,4}fs-/,
);
const unreachable = line(
  ['mount.nfs: ', 'mount.nfs4: '],
  ['pod-events', 'kubelet-log'],
  /mount\.nfs4?: (?:Connection (?:timed out|refused)|No route to host|Failed to resolve server|Network is unreachable)/i,
);

export const cause = defineCause({
  id: 'nfs-server-denies-or-missing-export',
  area: 'storage',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'crash-loop'],

  text: {
    name: 'NFS server refuses the mount',
    title: 'The NFS server refuses {export}: {reason}',
    why: 'mount.nfs on the node reached the server, and the server answered no: {reason}. {export} is not among its exports, is not exported to the address of this node, or its directory does not exist. Every pod that mounts it waits in ContainerCreating.',
  },

  clues: {
    denied: proves(denied),
    noExport: proves(noExport),
    notPermitted: supports(notPermitted),
    efs: supports(efs),
    unreachable: excludes(unreachable),
    otherReason: excludes(otherReason),
  },
  says: {
    denied: 'the server denies access to {export}',
    noExport: 'the server says of {export}: {reason}',
    notPermitted: 'the server or the kernel does not permit the mount',
    efs: 'the server is Amazon EFS: its policy, access point or IAM decides',
    unreachable: 'the server is not reached at all',
    otherReason: 'the mount helper names another reason, before it asks the server',
  },
  slots: (_place, { denied: refused, noExport: missing, efs: amazon }) => ({
    export: refused?.fields['export'] ?? missing?.fields['export'] ?? 'the export',
    reason:
      refused && amazon
        ? 'access denied by the policy of the EFS file system, its access point or the IAM role'
        : refused
          ? 'access denied'
          : (missing?.fields['reason']?.trim() ?? 'operation not permitted'),
    server: (refused?.fields['export'] ?? missing?.fields['export'] ?? 'SERVER').replace(/:\/.*$/, ''),
    path: (refused?.fields['export'] ?? missing?.fields['export'] ?? '').replace(/^[^/]*:(?=\/)/, '') || 'PATH',
  }),

  fixes: [
    {
      say: 'See what the server exports, and to whom',
      risk: 'reads-only',
      steps: [
        { say: 'its export list, asked from the node (NFSv4-only servers do not answer this)', run: 'showmount -e {{server}}', on: 'node' },
        { say: 'on the server itself', run: 'exportfs -v; ls -ld {{path}}' },
        {
          say: 'server and path as the volume names them',
          run: 'kubectl get pv -o yaml | grep -n -B2 -A3 -E "nfs:|server:|share:"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Export {path} to the addresses of all nodes',
      risk: 'reads-only',
      steps: [
        {
          say: 'on the server: one line in /etc/exports, e.g. "{path} 10.0.0.0/24(rw,sync,no_subtree_check,no_root_squash)", and create the directory if it is missing',
          run: 'mkdir -p {{path}} && exportfs -ra',
        },
      ],
      verified: 'showmount -e lists it for the nodes, and FailedMount stops by itself',
    },
    {
      say: 'Amazon EFS: let the role of the driver mount (elasticfilesystem:ClientMount, ClientWrite) in the file system policy, mount with the option iam where that policy asks for it, and name an access point that exists',
      risk: 'reads-only',
      for: ['efs'],
      steps: [
        {
          say: 'policy and access points of the file system',
          run: 'aws efs describe-file-system-policy --file-system-id FS; aws efs describe-access-points --file-system-id FS',
          on: 'cluster',
        },
        {
          say: 'mount options and handle of the volume',
          run: 'kubectl get storageclass,pv -o yaml | grep -nE -A4 "mountOptions:|volumeHandle:"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Or correct server and path of the volume',
      risk: 'moves-pods',
      steps: [
        {
          say: 'the source of a PersistentVolume cannot be edited: keep the data (reclaim policy Retain), delete it, create it anew with the right server and path',
          run: 'kubectl get pv PV -o yaml > pv.yaml',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['nfs-utils utils/mount/error.c', 'kubernetes pkg/volume/nfs/nfs.go'],
});
