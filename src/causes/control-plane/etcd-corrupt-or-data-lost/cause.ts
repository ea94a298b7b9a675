import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const LOGS = ['control-plane-log', 'container-log', 'system-log'] as const;
const wal = line(
  [
    'walpb: crc mismatch',
    'wal: crc mismatch',
    'read wal error',
    'failed to read WAL',
    'walpb: snapshot mismatch',
    'wal: slice bounds out of range',
    'wal: max entry size limit exceeded',
    'wal: snapshot not found',
    'wal: file not found',
    'failed to open WAL',
  ],
  LOGS,
  /(?<fault>(?:walpb|wal): (?:crc|snapshot) mismatch|read wal error[^\n"]{0,120}|failed to read WAL, cannot be repaired|wal: (?:slice bounds out of range|max entry size limit exceeded|snapshot not found|file not found))/,
);
const database = line(
  [
    'failed to open database',
    'cannot open database at',
    'recovering backend from snapshot',
    'failed to recover v3 backend from snapshot',
    'database snapshot file',
    "snapshot file doesn't exist",
    'freepages: failed to get all reachable',
    'mvcc: file corrupted',
    'database file does not match with snapshot',
    'unreachable unfreed',
  ],
  LOGS,
  /(?<fault>(?<plain>failed to open database)(?<near>[\s\S]{0,200}?(?:etcd|member\/snap))?|cannot open database at [^\n"]{0,100}member\/snap[^\n"]{0,60}|recovering backend from snapshot error[^\n"]{0,120}|failed to recover v3 backend from snapshot|failed to find database snapshot file[^\n"]{0,80}|database snapshot file path error[^\n"]{0,80}|snap: snapshot file doesn't exist|freepages: failed to get all reachable pages[^\n"]{0,80}|database file does not match with snapshot|mvcc: [^\n"]{0,40}file corrupted|unreachable unfreed)/,
);
const raft = line(
  ['Was the raft log corrupted', 'is out of range ['],
  LOGS,
  /(?<fault>tocommit\(\d{1,20}\) is out of range \[lastIndex\(\d{1,20}\)\]|state\.commit \d{1,20} is out of range \[\d{1,20}, \d{1,20}\])/,
);
const membership = line(
  ['has already been bootstrapped', 'cluster ID mismatch', 'permanently removed from the cluster', 'not a member of the etcd cluster'],
  LOGS,
  /(?<fault>member (?<member>[0-9a-f]{1,16}) has already been bootstrapped|cluster ID mismatch|permanently removed from the cluster|this server is a? ?not a member of the etcd cluster\.? Found \[[^\]\n]{0,600}\], expect: [^\s"\\]{1,200})/,
);
/** The flags name other members than the cluster has: nothing is wrong with the data. */
const flags = line(
  [
    'error validating peerURLs',
    '--initial-cluster has ',
    'member count is unequal',
    'has duplicate URLs',
    'unmatched member while checking PeerURLs',
    'the initial cluster configuration',
  ],
  LOGS,
  /(?<fault>couldn't find local name [\\"'“”]{1,8}(?<name>[^\s\\"'“”]{1,100})[\\"'“”]{1,8} in the initial cluster configuration|(?:error validating peerURLs[\s\S]{0,3000}?: )?(?:member count is unequal|unmatched member while checking PeerURLs[^\n"]{0,120})|initial cluster[^\n"]{0,20} has duplicate URLs?|--initial-cluster has [^\n]{3,200}? but missing from[^\n]{3,200}|error setting up initial cluster: [^\n"]{3,160})/,
);
const downgrade = line(
  ['cluster cannot be downgraded', 'invalid downgrade'],
  LOGS,
  /(?<fault>cluster cannot be downgraded[^\n"]{0,120}|invalid downgrade; server version is lower than determined cluster version)/,
);
/** etcd 3.6 reads no data of API v2 any more: what is left of it, or of a membership kept only there, stops it. */
const oldStore = line(
  [
    'detected disallowed v2 content',
    'detected disallowed custom content in v2store',
    'disallowed v2 content',
    'too many learner members in cluster',
    'v2store contains custom content',
  ],
  LOGS,
  /(?<fault>detected disallowed (?:v2|custom) content[^\n"]{0,120}|v2store contains custom content[^\n"]{0,80}|(?:membership: )?too many learner members in cluster)/,
);
const corrupt = line(
  [
    'alarm:CORRUPT',
    '"alarm":"CORRUPT"',
    'alarm=CORRUPT',
    'etcdserver: corrupt cluster',
    'found data inconsistency with peers',
    'checkInitialHashKV failed',
  ],
  ['control-plane-log', 'objects', 'container-log'],
  /(?<fault>alarm[":=]{1,4}CORRUPT|etcdserver: corrupt cluster|found data inconsistency with peers|checkInitialHashKV failed)/,
);
const diskFull = line(
  'no space left on device',
  [],
  /(?:\/etcd|\bwal\b|etcdserver|etcdmain|snap\/db)[\s\S]{0,300}?no space left on device/i,
);

export const cause = defineCause({
  id: 'etcd-corrupt-or-data-lost',
  area: 'control-plane',
  at: 'Pod',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: ['disk-io-error', 'disk-full-root'],

  text: {
    name: 'etcd data damaged or lost',
    title: 'etcd{where} {fails}: {what}',
    why: 'etcd stops because {mechanism} ({fault}). Without etcd the API server has no store: kubectl fails and nothing is scheduled or repaired, while containers that run go on.',
  },

  clues: {
    wal: proves(wal),
    // Other programs open databases too, and containerd and Docker keep theirs in the same format.
    database: proves(
      database,
      ({ fields, about, channel }) =>
        channel !== 'containerd-log' &&
        channel !== 'docker-log' &&
        (fields['plain'] === undefined || fields['near'] !== undefined || channel === 'control-plane-log' || /etcd/.test(about)),
    ),
    raft: proves(raft),
    membership: proves(membership),
    flags: proves(flags),
    downgrade: proves(downgrade),
    oldStore: proves(
      oldStore,
      ({ fields, channel, about }) => !/learner/.test(fields['fault'] ?? '') || channel === 'control-plane-log' || /etcd/.test(about),
    ),
    corrupt: proves(corrupt),
    diskFull: excludes(diskFull),
  },
  says: {
    wal: 'its write-ahead log is damaged: {fault}',
    database: 'its database or snapshot file is missing or damaged: {fault}',
    raft: 'its raft log is behind what it had confirmed: entries were lost',
    membership: 'the member and the cluster do not know each other: {fault}',
    flags: 'the members in its flags are not those of the cluster: {fault}',
    downgrade: 'its data was written by a newer etcd',
    oldStore: 'etcd 3.6 meets what only etcd 3.5 and older can read: {fault}',
    corrupt: 'etcd found that members hold different data: {fault}',
    diskFull: 'the disk is full (no space left on device)',
  },
  slots: (
    place,
    { wal: log, database: file, raft: lost, membership: member, flags: start, downgrade: old, oldStore: v2, corrupt: bad },
  ) => {
    const said = file ?? log ?? lost ?? member ?? start ?? old ?? v2 ?? bad;
    const foreign = file === undefined && log === undefined && lost === undefined && (member ?? start ?? old) !== undefined;
    return {
      where: place.name === 'the pod' ? '' : ` (${place.name})`,
      fails: start && said === start ? 'cannot join its cluster' : 'cannot use its data directory',
      fault: brief(said?.fields['plain'] ?? said?.fields['fault'] ?? 'its log tells'),
      what: file
        ? 'the database or snapshot file (member/snap) is missing or corrupt'
        : log || lost
          ? 'the write-ahead log (member/wal) is corrupt or entries are lost'
          : member
            ? 'it does not belong to this cluster (member removed, re-created or of another cluster)'
            : start
              ? start.fields['name']
                ? `its own name (--name ${start.fields['name']}) is not among the members of its flag --initial-cluster`
                : 'its flag --initial-cluster names other members (or twice the same) than the cluster has'
              : old
                ? 'it was written by a newer version of etcd'
                : v2
                  ? 'this version (3.6) does not read data of the old v2 store: the step over the last release of 3.5 is missing'
                  : bad
                    ? 'members hold different data (corrupt)'
                    : 'its data is damaged',
      mechanism:
        v2 && said === v2
          ? 'since 3.6 the v2 store is gone: keys written by API v2, or a membership that older members kept only there, must be cleaned up by the last release of etcd 3.5 (3.5.26 or later) first'
          : foreign
            ? 'what its data directory and flags say about the membership does not fit the running cluster'
            : 'the files under member/snap and member/wal do not fit together, which happens after a power loss, a hard stop or a disk fault, or when files were deleted or restored in part',
    };
  },

  fixes: [
    {
      say: 'Keep a copy of the data directory before anything else, and see whether other members are healthy',
      risk: 'reads-only',
      steps: [
        { say: 'copy', run: 'cp -a /var/lib/etcd /var/backups/etcd-damaged', on: 'node' },
        {
          say: 'with several members, ask a healthy one',
          run: 'ETCDCTL_API=3 etcdctl --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt --key /etc/kubernetes/pki/etcd/server.key --endpoints https://127.0.0.1:2379 member list -w table',
          on: 'node',
        },
        { say: 'is the disk well', run: 'dmesg -T | grep -iE "I/O error|EXT4-fs error|XFS" | tail; df -h /var/lib/etcd', on: 'node' },
      ],
    },
    {
      say: 'After a step to etcd 3.6: go back to the last release of 3.5, let it clean up, then upgrade again',
      risk: 'touches-node',
      steps: [
        { say: 'the version that runs now', run: 'grep image: /etc/kubernetes/manifests/etcd.yaml', on: 'node' },
        {
          say: 'put the last 3.5 release into the manifest, wait until every member is healthy and none is a learner, then 3.6 again',
          run: 'vi /etc/kubernetes/manifests/etcd.yaml',
          on: 'node',
        },
        {
          say: 'content of the old API v2 that something still wrote (old flannel, calico, scripts)',
          run: 'ETCDCTL_API=2 etcdctl ls --recursive /',
          on: 'node',
        },
      ],
      verified: 'etcd 3.6 starts and etcdctl endpoint health is healthy',
    },
    {
      say: 'One of several members: remove it, empty its data directory and add it again; it copies the data from the others',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'on a healthy member',
          run: 'etcdctl member remove MEMBER_ID && etcdctl member add NAME --peer-urls=https://ADDRESS:2380',
          on: 'node',
        },
        {
          say: 'on the broken one: empty the directory and start etcd with --initial-cluster-state=existing',
          run: 'mv /etc/kubernetes/manifests/etcd.yaml /var/tmp/ && mv /var/lib/etcd/member /var/backups/etcd-member-old && mv /var/tmp/etcd.yaml /etc/kubernetes/manifests/',
          on: 'node',
        },
      ],
      verified: 'etcdctl endpoint health --cluster is healthy everywhere',
    },
    {
      say: 'The only member, or most of them: restore the last snapshot (backup); what came after it is lost',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'stop etcd, restore into a new directory, and put it in place (etcd 3.6: etcdutl)',
          run: 'etcdctl snapshot restore BACKUP.db --data-dir /var/lib/etcd-restored && mv /var/lib/etcd /var/backups/etcd-old && mv /var/lib/etcd-restored /var/lib/etcd',
          on: 'node',
        },
        {
          say: 'without a backup: try the database file alone (member/snap/db)',
          run: 'etcdctl snapshot restore /var/backups/etcd-damaged/member/snap/db --skip-hash-check --data-dir /var/lib/etcd-restored',
          on: 'node',
        },
      ],
      verified: 'etcd runs and kubectl get nodes answers',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['etcd server/storage/wal/wal.go, server/storage/backend.go', 'etcd raft/log.go', 'etcd issues 9021, 11220, 11949'],
});

/** The list of members stands in the middle of the message; the verdict at its end. */
function brief(fault: string): string {
  const text = fault.trim();
  return text.length > 160 ? `…${text.slice(-120)}` : text;
}
