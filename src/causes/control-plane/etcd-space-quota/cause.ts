import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const exceeded = line(
  ['database space exceeded', 'mvcc: database space'],
  ['control-plane-log', 'objects', 'kubelet-log', 'container-log', 'object-events'],
);
const alarm = line(
  ['alarm:NOSPACE', 'ALARM NOSPACE', 'NOSPACE raised', '"alarm":"NOSPACE"', 'alarm=NOSPACE', 'etcdserver: no space'],
  ['control-plane-log', 'objects'],
  /(?:memberID:(?<member>\d{1,20}) )?alarm:NOSPACE|alarm NOSPACE(?: raised by peer (?<peer>[0-9a-f]{1,16}))?|alarm[":=]{1,4}NOSPACE|etcdserver: no space/i,
);
const size = line(
  ['quota-backend-bytes', 'exceeded quota-backend'],
  ['control-plane-log'],
  /--quota-backend-bytes[= ](?<quota>\d{6,15})|quota-backend-bytes[":=]{1,3}(?<set>\d{6,15})/,
);
const diskFull = line(
  'no space left on device',
  [],
  /(?:\/etcd|\bwal\b|etcdserver|etcdmain|snap\/db)[\s\S]{0,300}?no space left on device/i,
);

export const cause = defineCause({
  id: 'etcd-space-quota',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['no-pods', 'node-not-ready', 'kubelet-down', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'etcd has used its quota',
    title: 'etcd takes no writes: its database has reached the space quota{quota} (NOSPACE alarm)',
    why: 'etcd refuses every write once its database file has grown to --quota-backend-bytes (2 GiB unless set) and raises the alarm NOSPACE, which stays until the database was compacted, defragmented and the alarm disarmed. Reading still works, but nothing can be created, updated or even deleted: no pods, no leases, no node status.',
  },

  clues: {
    exceeded: proves(exceeded),
    alarm: proves(alarm),
    size: supports(size),
    diskFull: excludes(diskFull),
  },
  says: {
    exceeded: 'etcd says: mvcc: database space exceeded',
    alarm: 'the alarm NOSPACE is raised{member}',
    size: 'the quota of etcd is set{quota}',
    diskFull: 'the disk itself is full (no space left on device)',
  },
  slots: (_place, { alarm: raised, size: set }) => {
    const quota = Number(set?.fields['quota'] ?? set?.fields['set']);
    const member = raised?.fields['member'] ?? raised?.fields['peer'];
    return {
      quota: Number.isFinite(quota) && quota > 0 ? ` of ${(quota / 1024 ** 3).toFixed(1)} GiB` : '',
      member: member === undefined ? '' : ` by member ${member}`,
    };
  },

  fixes: [
    {
      say: 'See how large the database is and what fills it',
      risk: 'reads-only',
      steps: [
        {
          say: 'size and alarms of each member (kubeadm: inside the etcd pod, with its certificates)',
          run: 'ETCDCTL_API=3 etcdctl --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt --key /etc/kubernetes/pki/etcd/server.key --endpoints https://127.0.0.1:2379 endpoint status --cluster -w table',
          on: 'node',
        },
        {
          say: 'what there is most of: often events, reports or custom resources of one operator',
          run: 'kubectl get --raw /metrics | grep apiserver_storage_objects | sort -k2 -n -r | head',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Take a snapshot, compact, defragment every member, then disarm the alarm',
      risk: 'touches-node',
      steps: [
        {
          say: 'first a copy (add the certificates as above to each command)',
          run: 'etcdctl snapshot save /var/backups/etcd-before.db',
          on: 'node',
        },
        {
          say: 'compact up to the present revision',
          run: `etcdctl compact $(etcdctl endpoint status -w json | grep -oE '"revision":[0-9]+' | head -1 | cut -d: -f2)`,
          on: 'node',
        },
        {
          say: 'defragment, one member after the other (it blocks while it works)',
          run: 'etcdctl defrag --endpoints https://127.0.0.1:2379',
          on: 'node',
        },
        { say: 'disarm', run: 'etcdctl alarm disarm && etcdctl alarm list', on: 'node' },
        {
          say: 'where it will fill up again, raise --quota-backend-bytes (up to 8 GiB) in /etc/kubernetes/manifests/etcd.yaml, and remove what fills it',
          on: 'node',
        },
      ],
      verified: 'etcdctl alarm list prints nothing, and kubectl can create objects',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['etcd server/etcdserver/errors/errors.go', 'etcd docs: op-guide/maintenance, space quota'],
});
