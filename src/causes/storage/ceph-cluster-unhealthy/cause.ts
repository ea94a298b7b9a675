import { defineCause, excludes, excludesEverywhere, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['container-log', 'objects', 'host-state', 'object-events', 'pod-events'] as const;
const healthError = line('HEALTH_ERR', SAID_BY, /HEALTH_ERR\b[ :,;]{0,4}(?<text>[^\n{}]{3,250})?/);
const full = line(
  ['full osd(s)', 'pool(s) full', 'OSD_FULL', 'POOL_FULL', 'is full (running out of quota)'],
  SAID_BY,
  /(?<!near)(?<!backfill)(?<count>\b\d{1,5}) full osd\(s\)|(?<pools>\b\d{1,5}) pool\(s\) full|\bOSD_FULL\b|\bPOOL_FULL\b|is full \(running out of quota\)/,
);
const inactive = line(
  ['Reduced data availability', 'PG_AVAILABILITY', 'TOO_FEW_OSDS', '< osd_pool_default_size'],
  SAID_BY,
  /Reduced data availability: (?<pgs>\d{1,9}) pgs? (?:inactive|stale|peering|down)|OSD count (?<osds>\d{1,5}) < osd_pool_default_size (?<size>\d{1,3})/,
);
const quorum = line(
  [
    'out of quorum',
    'no active mon quorum',
    'authenticate timed out',
    'RADOS timed out',
    'rados: ret=-110',
    'failed to get mon quorum',
    'mon quorum',
  ],
  SAID_BY,
  /(?<down>\d{1,3})\/(?<mons>\d{1,3}) mons down|mon\.?(?<mon>[\w-]{1,20}) [^\n]{0,60}is down \(out of quorum\)|monclient[^\n]{0,40}authenticate timed out|RADOS timed out|rados: ret=-110|(?:failed to get|no active|lost) mon quorum|failed to check mon quorum/i,
);
const osdsDown = line(
  ['osds down', 'osd: 0 osds:', 'slow ops, oldest one blocked', 'nearfull osd(s)', 'backfillfull osd(s)'],
  SAID_BY,
  /(?<count>\d{1,5}) osds down|osd: 0 osds:|(?<slow>\d{1,9}) slow ops, oldest one blocked|(?<near>\d{1,5}) (?:near|backfill)full osd\(s\)/,
);
const kernelLost = line(
  ['session lost, hunting for new mon', 'libceph: mon', 'libceph: mds', 'libceph: osd'],
  'kernel-log',
  /libceph: (?:m(?:on|ds)\d{1,3} [^\n]{0,80}(?:session lost|socket (?:closed|error)|connect error)|osd\d{1,5} (?:[^\n]{0,60}(?:down|socket (?:closed|error))))/,
);
const noMds = line(
  ['(Metadata Server) is up', 'no mds server is up', 'MDS_ALL_DOWN', 'filesystem is offline', '0/1 daemons up'],
  [...SAID_BY, 'kubelet-log'],
  /no mds (?:\(Metadata Server\)|server) is up|MDS_ALL_DOWN|filesystem is offline|mds: (?<fs>[\w-]{1,60}):0\/1\b|mds: 0\/1 daemons up/i,
);
const echo = line(
  'an operation with the given',
  ['pod-events', 'object-events'],
  /ceph[\s\S]{0,300}?an operation with the given Volume ID (?<id>\S{1,200}) already exists|Volume ID (?<handle>0001-\d{4}-\S{1,200}) already exists/,
);
// No channel: the cluster is well, then.
const healthy = line(['health: HEALTH_OK', 'HEALTH_OK'], [], /\bHEALTH_OK\b/);

export const cause = defineCause({
  id: 'ceph-cluster-unhealthy',
  area: 'storage',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['volume-pending', 'other-trouble'],
  effectOf: ['host-missing-lvm-or-dm', 'clock-skew'],

  text: {
    name: 'Ceph cluster is unhealthy',
    title: 'The Ceph cluster behind the volumes does not serve: {what}',
    why: 'Volumes of Ceph (RBD, CephFS, Rook) are made, mapped and written only while the monitors have a quorum and every placement group is active with room to write. Here {what}. Calls of the driver hang until they are given up (DeadlineExceeded) and then end with "operation … already exists"; claims stay Pending and pods in ContainerCreating until Ceph itself is cured.',
  },

  clues: {
    full: proves(full),
    inactive: proves(inactive),
    quorum: proves(quorum),
    healthError: proves(healthError),
    noMds: proves(noMds),
    osdsDown: supports(osdsDown),
    kernelLost: supports(kernelLost),
    echo: supports(echo),
    healthy: excludesEverywhere(excludes(healthy)),
  },
  says: {
    full: 'Ceph is full: OSDs or pools take no more writes',
    inactive: 'data is not available: {inactive}',
    quorum: 'the monitors do not answer or have no quorum',
    healthError: 'Ceph reports HEALTH_ERR: {error}',
    noMds: 'no metadata server (MDS) is up: CephFS cannot be mounted',
    osdsDown: 'OSDs are down, nearly full or slow',
    kernelLost: 'the kernel client does not reach monitors, MDS or OSDs',
    echo: 'calls of the driver hang: operation already exists',
    healthy: 'Ceph reports HEALTH_OK',
  },
  slots: (_place, { full: noRoom, inactive: pgs, quorum: mons, healthError: error, noMds: mds, osdsDown: osds, kernelLost: lost }) => {
    const unavailable = pgs?.fields['pgs']
      ? `${pgs.fields['pgs']} placement groups are inactive`
      : `${pgs?.fields['osds'] ?? 'too few'} OSDs for pools of size ${pgs?.fields['size'] ?? '3'}`;
    return {
      inactive: unavailable,
      error: error?.fields['text']?.trim() ?? 'see ceph health detail',
      what: noRoom
        ? 'OSDs or pools are full and refuse writes'
        : mds
          ? 'no metadata server (MDS) of the CephFS file system is up, or the client is not allowed to use it'
          : mons
            ? 'the monitors have no quorum or do not answer'
            : pgs
              ? unavailable
              : error
                ? `health is HEALTH_ERR${error.fields['text'] ? ` (${error.fields['text'].trim()})` : ''}`
                : osds
                  ? 'OSDs are down, nearly full or slow'
                  : lost
                    ? 'the clients do not reach its monitors, MDS or OSDs'
                    : 'calls of its driver hang',
    };
  },

  fixes: [
    {
      say: 'Ask Ceph itself',
      risk: 'reads-only',
      steps: [
        {
          say: 'state, reasons, fill level',
          run: "kubectl -n rook-ceph exec deploy/rook-ceph-tools -- sh -c 'ceph -s; ceph health detail; ceph osd tree; ceph df'",
          on: 'cluster',
        },
        {
          say: 'its pods and the nodes they run on',
          run: 'kubectl -n rook-ceph get pods -o wide | grep -E "mon|osd|mgr|mds"',
          on: 'cluster',
        },
        { say: 'monitors are reachable from a node: ports 3300 and 6789, OSDs 6800-7300', run: 'nc -vz -w 3 MON-ADDRESS 6789', on: 'node' },
      ],
    },
    {
      say: 'Bring monitors and OSDs back: their pods, nodes and disks first',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a majority of the monitors must run; clocks within 50 ms of each other',
          run: 'kubectl -n rook-ceph get pods -l app=rook-ceph-mon -o wide',
          on: 'cluster',
        },
        {
          say: 'OSDs that do not start say why in their log',
          run: 'kubectl -n rook-ceph logs -l app=rook-ceph-osd --all-containers --tail=20',
          on: 'cluster',
        },
      ],
      verified: 'ceph -s says HEALTH_OK or only warns, and volumes are made and mounted by themselves',
    },
    {
      say: 'Full: make room by adding OSDs, or by deleting images and snapshots nobody needs; raising the full ratio only buys the time to do so',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'a few per cent, for the clean-up only, and back afterwards',
          run: 'kubectl -n rook-ceph exec deploy/rook-ceph-tools -- ceph osd set-full-ratio 0.97',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'ceph doc/rados/operations/health-checks.rst',
    'rook Documentation/Troubleshooting/ceph-csi-common-issues.md',
    'rook issue 9928',
  ],
});
