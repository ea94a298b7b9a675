import { defineCause, excludes, line, minutes, NAMED_VOLUME, proves, supports, withContext } from '../../define-cause.ts';

const noStatd = line(
  ['rpc.statd is not running but is required', "use '-o nolock' to keep locks local"],
  ['pod-events', 'kubelet-log', 'container-log'],
  withContext(/rpc\.statd is not running but is required|use '-o nolock' to keep locks local/, { may: [NAMED_VOLUME] }),
);
const version = line(
  [
    'mount.nfs: Protocol not supported',
    'mount.nfs4: Protocol not supported',
    'requested NFS version or transport protocol',
    'NFS: Version unsupported',
  ],
  ['pod-events', 'kubelet-log', 'container-log'],
  withContext(
    /mount\.nfs4?: (?:mount\(2\): )?(?<text>Protocol not supported|requested NFS version or transport protocol is not supported)|NFS: Version unsupported/,
    { may: [NAMED_VOLUME, /\b(?:nfs)?vers=(?<vers>[\d.]{1,5})/] },
  ),
);
const badOption = line(
  [
    'mount.nfs: an incorrect mount option was specified',
    'mount.nfs4: an incorrect mount option was specified',
    "mount.nfs: parsing error on '",
  ],
  ['pod-events', 'kubelet-log', 'container-log'],
);
const noLocks = line(
  ['No locks available', 'lockd: cannot monitor'],
  ['container-log', 'kernel-log'],
  /No locks available|lockd: cannot monitor/i,
);
const refuses = line(
  ['mount.nfs: ', 'mount.nfs4: '],
  [],
  /mount\.nfs4?: (?:Connection (?:timed out|refused)|No route to host|Failed to resolve server|access denied by server)/,
);

export const cause = defineCause({
  id: 'nfs-locking-or-version',
  area: 'storage',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'crash-loop', 'not-ready', 'other-trouble'],

  text: {
    name: 'NFS version or locking misfit',
    title: 'NFS mounts fail on {node}: {what}',
    why: 'The server is reached, but client and server do not come together: {what}. NFS version 3 needs rpcbind and rpc.statd on the node for locks; version 4 needs neither, but a server and a kernel that both speak the version the mount asks for ({asked}).',
  },

  clues: {
    noStatd: proves(noStatd),
    version: proves(version),
    badOption: supports(badOption),
    noLocks: supports(noLocks),
    statdDown: supports('unit.state', ({ unit, active }) => /^(?:rpcbind|rpc-statd|nfs-lock)\b/.test(unit) && active !== 'active'),
    refuses: excludes(refuses),
  },
  says: {
    noStatd: 'mount.nfs needs rpc.statd for locks, and it does not run here',
    version: 'the NFS version or transport that was asked for is not supported',
    badOption: 'a mount option is not known for this NFS version',
    noLocks: 'locking over NFS fails: no locks available',
    statdDown: '{unit} does not run on the node',
    refuses: 'the server is not reached, or refuses for another reason',
  },
  slots: (place, { noStatd: statd, version: said, badOption: option, noLocks: locks, statdDown }) => ({
    node: place.name,
    what: statd
      ? 'rpc.statd, which NFS version 3 needs for locks, is not running'
      : said
        ? 'the NFS version or protocol the mount asks for is not supported by server or kernel'
        : option
          ? 'a mount option does not fit the NFS version'
          : locks
            ? 'no locks are to be had (rpc.statd and lockd)'
            : 'version or locking',
    daemon: statd || locks || statdDown ? 'rpc-statd' : '',
    asked: said?.fields['vers'] ? `vers=${said.fields['vers']}` : 'see the mount options',
    unit: statdDown?.unit ?? 'rpc-statd',
  }),

  fixes: [
    {
      say: 'See which versions the server offers and which one the mount asks for',
      risk: 'reads-only',
      steps: [
        { say: 'versions and services of the server', run: 'rpcinfo -p SERVER | grep -E "nfs|mountd|nlockmgr|status"', on: 'node' },
        {
          say: 'kernel and services of the node',
          run: 'uname -r; systemctl is-active rpcbind rpc-statd; cat /proc/fs/nfsd/versions 2>/dev/null',
          on: 'node',
        },
        { say: 'mount options of volumes and classes', run: 'kubectl get pv,sc -o yaml | grep -n -A4 mountOptions', on: 'cluster' },
      ],
    },
    {
      say: 'Start rpcbind and rpc-statd on {node}, for NFS version 3',
      risk: 'touches-node',
      for: ['noStatd', 'statdDown'],
      steps: [{ say: 'now and at boot', run: 'systemctl enable --now rpcbind && systemctl start rpc-statd', on: 'node' }],
      changes: [
        { do: 'units', action: 'enable', units: ['rpcbind'] },
        { do: 'units', action: 'start', units: ['rpcbind', '{{daemon}}'] },
      ],
      verified: 'the kubelet mounts by itself within two minutes',
    },
    {
      say: 'Mount with a version both sides know: nfsvers=4.1 or 4 in mountOptions (no rpc.statd needed), or nfsvers=3 for an old server',
      risk: 'moves-pods',
      for: ['version', 'badOption'],
      steps: [
        {
          say: 'in the StorageClass for new volumes, in the PersistentVolume for existing ones',
          run: 'kubectl patch pv PV --type merge -p \'{"spec":{"mountOptions":["nfsvers=4.1"]}}\'',
          on: 'cluster',
        },
        { say: 'only where a single client writes: the option nolock keeps locks local' },
      ],
    },
    {
      say: 'Where it began with a new kernel: boot the previous one, or update to a build with the NFS fix',
      risk: 'touches-node',
      steps: [{ say: 'kernels installed', run: 'ls /boot/vmlinuz*; uname -r', on: 'node' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['nfs-utils utils/mount/error.c, stropts.c', 'longhorn knowledge base: share manager and kernel 6.5.6'],
});
