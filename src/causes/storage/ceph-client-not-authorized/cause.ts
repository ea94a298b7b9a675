import { defineCause, excludes, line, minutes, NAMED_VOLUME, proves, withContext } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'kubelet-log', 'container-log', 'object-events'] as const;

const mountDenied = line(
  ['mount error 13 = Permission denied', 'mount error 1 = Operation not permitted'],
  SAID_BY,
  withContext(/mount error 13 = Permission denied|mount error 1 = Operation not permitted/, {
    may: [NAMED_VOLUME, /-o name=(?<user>[\w.-]{1,60})/],
  }),
);
const rados = line(
  [
    'rados: ret=-13',
    'rados: ret=-1,',
    'handle_auth_bad_method',
    'RADOS permission error',
    'error connecting to the cluster',
    'rbd: ret=-1,',
  ],
  [...SAID_BY, 'host-tools', 'host-state'],
  /rados: ret=-(?:13|1), (?<text>Permission denied|Operation not permitted)|rbd: ret=-1, (?<rbd>Operation not permitted)|handle_auth_bad_method server allowed_methods|RADOS permission error|\[errno 13\] (?<errno>[^\n]{3,80}) ?\(error connecting to the cluster\)/,
);
const noSecret = line(
  ['missing ID field', 'missing key for ID'],
  SAID_BY,
  /missing ID field '(?<field>\w{2,40})' in secrets|missing key for ID \(?(?<id>[\w.-]{1,60})/,
);
const mapDenied = line(
  ['rbd: map failed: (1)', 'rbd: map failed: (13)'],
  SAID_BY,
  /rbd: map failed: \((?:1|13)\) (?<text>Operation not permitted|Permission denied)/,
);
const kernelSays = line(
  ["libceph: auth method 'x' error", 'rejected session', "libceph: auth protocol 'cephx'"],
  'kernel-log',
  /libceph: auth method 'x' error -\d{1,3}|ceph: mds\d{1,3} rejected session|libceph: auth protocol 'cephx'[^\n]{0,60}failed/,
);
// No channel: a share of Windows is mounted with the same words.
const cifs = line([' -t cifs ', 'mount.cifs', 'CIFS VFS'], []);

export const cause = defineCause({
  id: 'ceph-client-not-authorized',
  area: 'storage',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'volume-pending', 'pending', 'other-trouble'],

  text: {
    name: 'Ceph refuses the client',
    title: 'Ceph refuses the client of the volumes{user}: {what}',
    why: 'The CSI driver signs in to Ceph with the user and key of a Secret that the StorageClass names. Here {what}: the key is wrong or was changed, the user lacks the caps for this pool or file system, or ID and key are missing. Monitors answer, so Ceph itself runs; volumes are neither made nor mounted until the client is let in.',
  },

  clues: {
    mountDenied: proves(mountDenied),
    rados: proves(rados),
    mapDenied: proves(mapDenied),
    noSecret: proves(noSecret),
    kernelSays: proves(kernelSays),
    cifs: excludes(cifs),
  },
  says: {
    mountDenied: 'mounting CephFS is refused: permission denied',
    rados: 'the monitors turn the client away: {what}',
    mapDenied: 'mapping the RBD image is refused: {what}',
    noSecret: 'the driver has no usable settings: {what}',
    kernelSays: 'the kernel client is turned away by Ceph',
    cifs: 'it is a Windows share (CIFS) that refuses',
  },
  slots: (_place, { mountDenied: mount, rados: turned, mapDenied: map, noSecret: missing }) => ({
    user: mount?.fields['user'] ? ` (${mount.fields['user']})` : '',
    name: mount?.fields['user'] ?? 'USER',
    what: missing
      ? `the Secret lacks ${missing.fields['field'] ?? missing.fields['id'] ?? 'the user ID or key'}`
      : mount
        ? 'mounting ends with "permission denied"'
        : (turned?.fields['text'] ?? turned?.fields['rbd'] ?? map?.fields['text'] ?? 'authentication fails').toLowerCase(),
  }),

  fixes: [
    {
      say: 'Compare the Secret of the driver with what Ceph knows',
      risk: 'reads-only',
      steps: [
        {
          say: 'which Secrets the StorageClass names',
          run: "kubectl get storageclass -o yaml | grep -E 'secret-name|secret-namespace|clusterID|pool|fsName'",
          on: 'cluster',
        },
        { say: 'user, key and caps as Ceph has them', run: 'ceph auth get client.{{name}}', on: 'node' },
        {
          say: 'the key in the Secret must be the same, without a line end',
          run: "kubectl -n rook-ceph get secret rook-csi-cephfs-node -o jsonpath='{.data}'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Give the user the caps, or the Secret the right user and key',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'CephFS: caps for the file system; the user name in the Secret stands without "client."',
          run: "ceph auth caps client.{{name}} mon 'allow r' mgr 'allow rw' osd 'allow rw tag cephfs *=*' mds 'allow rw'",
          on: 'node',
        },
        { say: "RBD: mon 'profile rbd' osd 'profile rbd pool=POOL' mgr 'profile rbd pool=POOL'" },
        { say: 'userID and userKey for RBD and newer CephFS drivers, adminID and adminKey for older CephFS drivers' },
      ],
      verified: 'the pods mount their volumes at the next try',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['ceph/ceph-csi internal/util/credentials.go', 'ceph/ceph src/mount/mount.ceph.c', 'ceph/ceph-csi issue 4086'],
});
