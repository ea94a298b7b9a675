import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const RUNTIMES = ['containerd-log', 'docker-log'] as const;
const isRuntime = ({ channel }: { readonly channel: string }) => channel === 'containerd-log' || channel === 'docker-log';

/** bbolt, the database under both; etcd keeps its data in the same way. */
const page = line(
  [
    'panic: freepages',
    'panic: invalid page type',
    'panic: assertion failed: Page expected',
    'invalid freelist page',
    'already freed',
    'panic: page ',
    'unexpected fault address',
  ],
  RUNTIMES,
  /panic: (?<error>freepages: failed to get all reachable pages[^\n"]{0,120}|invalid page type: \d{1,20}: [0-9a-f]{1,8}|assertion failed: Page expected to be: \d{1,20}, but self identifies as \d{1,20}|invalid freelist page: \d{1,20}[^\n"]{0,60}|page \d{1,20} already freed)/,
);
const file = line(
  ['/meta.db', '/metadata.db', 'local-kv.db'],
  RUNTIMES,
  /(?<path>(?:meta|metadata|local-kv)\.db)[\\"]{0,4}: (?<error>invalid database|version mismatch|checksum error|file size too small[^\n"]{0,40})/,
);
/** bbolt reads lengths out of a damaged page. */
const bounds = line(
  ['slice bounds out of range', 'unexpected fault address'],
  RUNTIMES,
  /(?<error>slice bounds out of range \[[:\d]{1,40}\] with (?:length|capacity) \d{1,20}|unexpected fault address 0x[0-9a-f]{1,16})/,
);
/** What it wrote down of its pods does not fit together, so it ends while it reads that. */
const recover = line(
  ['failed to recover state'],
  RUNTIMES,
  /failed to recover state: (?<error>failed to (?:reserve (?:sandbox|container) name|load (?:sandbox|container)|get metadata)[^\n"\\]{0,80})/,
);
const loads = line(['go.etcd.io/bbolt', 'github.com/boltdb/bolt', 'containerd did not exit successfully'], RUNTIMES);
const cameUp = line(['containerd successfully booted', 'Daemon has completed initialization'], RUNTIMES);
const etcd = line(['/var/lib/etcd', 'etcdserver', 'etcdmain'], []);

export const cause = defineCause({
  id: 'runtime-database-damaged',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['runtime-down', 'node-not-ready', 'kubelet-down', 'control-plane-down', 'other-trouble'],
  effectOf: ['disk-io-error', 'disk-full-root', 'node-rebooted'],

  text: {
    name: 'Runtime database is damaged',
    title: 'The container runtime on {node} cannot start: its own database{path} is corrupt ({error})',
    why: 'containerd (and Docker above it) keeps what it knows of images, snapshots and containers in small bolt databases. After a power loss, a hard reset, a full disk or a repair by fsck their pages do not fit together ({error}), and the runtime panics at every start. The container files themselves are mostly whole, but without the database nobody knows them.',
  },

  clues: {
    page: proves(page, (fact) => isRuntime(fact) && notByContainers(fact)),
    file: proves(file, isRuntime),
    recover: proves(recover, notByContainers),
    bounds: supports(bounds, isRuntime),
    loads: supports(loads, isRuntime),
    etcd: excludes(etcd, (fact) => !isRuntime(fact)),
    cameUp: excludes(cameUp, isRuntime),
  },
  says: {
    page: 'the runtime panics while it reads its database: {error}',
    file: 'the database{path} cannot be opened: {error}',
    recover: 'it cannot take up its state again: {error}',
    bounds: 'it reads nonsense out of its database: {error}',
    loads: 'it ends inside the code of the database (bbolt)',
    etcd: 'it is etcd that speaks of its own database',
    cameUp: 'the runtime has come up since',
  },
  slots: (place, { page: broken, file: unopened, recover, bounds }) => ({
    node: place.name,
    path: unopened?.fields['path'] ? ` ${unopened.fields['path']}` : recover ? ' of pods and containers' : ' (meta.db)',
    error: (
      broken?.fields['error'] ??
      unopened?.fields['error'] ??
      recover?.fields['error'] ??
      bounds?.fields['error'] ??
      'it cannot be read'
    ).trim(),
  }),

  fixes: [
    {
      say: 'See which file it is, and whether the disk is well',
      risk: 'reads-only',
      steps: [
        {
          say: 'the databases of containerd and Docker',
          run: 'find /var/lib/containerd /var/lib/docker -maxdepth 4 -name "*.db" -size +0 -exec ls -l {} + 2>/dev/null',
          on: 'node',
        },
        {
          say: 'last boot, disk errors, room',
          run: 'last -x | head -5; dmesg -T | grep -iE "I/O error|EXT4-fs|XFS" | tail; df -h /var/lib',
          on: 'node',
        },
      ],
    },
    {
      say: 'Put the state of containerd aside and let it start anew; images are pulled again and pods made again',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'move the pods away as far as that works',
          run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data',
          on: 'cluster',
        },
        {
          say: 'containerd: keep the old folder until all is well (files inside containers are lost, volumes are not)',
          run: 'systemctl stop kubelet containerd && mv /var/lib/containerd /var/lib/containerd.damaged && systemctl start containerd kubelet',
          on: 'node',
        },
        {
          say: 'k3s and rke2 keep it elsewhere',
          run: 'systemctl stop k3s k3s-agent rke2-server rke2-agent 2>/dev/null; for d in /var/lib/rancher/*/agent/containerd; do mv "$d" "$d.damaged"; done; systemctl start k3s || systemctl start rke2-server',
          on: 'node',
        },
        {
          say: 'Docker with its own containerd: only its database',
          run: 'systemctl stop docker && mv /var/lib/docker/containerd/daemon/io.containerd.metadata.v1.bolt/meta.db /var/tmp/ && systemctl start docker',
          on: 'node',
        },
      ],
      verified: 'the runtime stays active, crictl info answers and {node} becomes Ready',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['etcd-io/bbolt db.go, freelist.go, page.go, tx_check.go', 'containerd core/metadata/plugin', 'moby libcontainerd/supervisor'],
});
