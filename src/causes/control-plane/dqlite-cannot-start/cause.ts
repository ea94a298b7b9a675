import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['system-log', 'kubelet-log', 'control-plane-log', 'container-log'] as const;
/** Small files beside the data: who the members are, who this one is. */
const file = line(
  ['cluster.yaml', 'info.yaml', 'localnode.yaml'],
  SAID_BY,
  /(?:open|load|parse|read|unmarshal)[^\n]{0,60}?(?<file>cluster|info|localnode)\.yaml[^\n]{0,40}?: (?<error>[^\n"]{0,60}?(?:yaml: [^\n"]{3,120}|no such file or directory|unexpected end of[^\n"]{0,40}|EOF)|is empty)/,
);
const data = line(
  ['raft_start()', 'closed segment', 'open segment', 'dqlite node'],
  SAID_BY,
  /(?:dqlite|raft_start\(\)|raft_io)[^\n]{0,200}?(?<error>load closed segment [\w-]{5,60}: [^\n"]{3,120}|found (?:open|closed) segment [^\n"]{3,120}|(?:open|snapshot) segment [^\n"]{3,100}: [^\n"]{3,80}|io: [^\n"]{3,120})/,
);
const noLeader = line(
  ['no available dqlite leader server found', 'failed to create dqlite connection'],
  SAID_BY,
  /(?<leader>no available dqlite leader server found|failed to create dqlite connection[^\n"]{0,80})/,
);
const full = line('no space left on device', [], /(?:dqlite|microk8s|write \/var)[^\n]{0,200}?no space left on device/);
const up = line(['microk8s is running'], [], /^microk8s is running/m);

export const cause = defineCause({
  id: 'dqlite-cannot-start',
  area: 'control-plane',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['control-plane-down', 'kubelet-down', 'node-not-ready', 'other-trouble'],
  effectOf: ['disk-full-root', 'disk-io-error', 'filesystem-corrupt-or-readonly'],

  text: {
    name: 'dqlite of microk8s cannot start',
    title: 'dqlite, the database of microk8s on {node}, cannot start: {what}',
    why: 'microk8s keeps the state of the cluster in dqlite, below /var/snap/microk8s/current/var/kubernetes/backend. {mechanism} Without it the API server ends, and every command of kubectl is refused.',
  },

  clues: {
    file: proves(file, ({ channel }) => channel !== 'container-log'),
    data: proves(data, ({ channel }) => channel !== 'container-log'),
    noLeader: supports(noLeader),
    full: excludes(full),
    up: excludes(up),
  },
  says: {
    file: 'its file {file} is damaged: {error}',
    data: 'its data cannot be loaded: {error}',
    noLeader: 'the members find no leader',
    full: 'the disk is full',
    up: 'microk8s runs since',
  },
  slots: (place, { file: small, data: segments, noLeader: none }) => {
    const name = `${small?.fields['file'] ?? 'cluster'}.yaml`;
    const error = (small?.fields['error'] ?? segments?.fields['error'] ?? 'no leader').trim();
    return {
      node: place.name,
      file: name,
      error,
      what: small
        ? `its file ${name} is empty or damaged (${error})`
        : segments
          ? `its data is damaged (${error})`
          : none
            ? 'the members find no leader: fewer than half of them answer'
            : 'see its log',
      mechanism: small
        ? `The file ${name} there names the members, and a power loss or a full disk has left it empty or cut off (${error}).`
        : segments
          ? `Its last files do not fit together after a power loss or a full disk (${error}).`
          : 'More than half of the members must answer each other on port 19001; too few are up, or their addresses changed.',
    };
  },

  fixes: [
    {
      say: 'Look at its folder and its log',
      risk: 'reads-only',
      steps: [
        {
          say: 'cluster.yaml, info.yaml and localnode.yaml must not be empty',
          run: 'cd /var/snap/microk8s/current/var/kubernetes/backend && ls -la && head -20 cluster.yaml info.yaml localnode.yaml; df -h /var/snap',
          on: 'node',
        },
        {
          say: 'its own words',
          run: 'journalctl -u snap.microk8s.daemon-k8s-dqlite -u snap.microk8s.daemon-kubelite -b --no-pager | tail -60',
          on: 'node',
        },
      ],
    },
    {
      say: 'Stop microk8s, keep a copy of the folder, and write the damaged file anew: the members with ID, address and role, as another member has them',
      risk: 'touches-node',
      steps: [
        {
          say: 'a copy first',
          run: 'microk8s stop; cp -a /var/snap/microk8s/current/var/kubernetes/backend /var/snap/microk8s/common/backend.before',
          on: 'node',
        },
        {
          say: 'on a node by itself cluster.yaml has one entry: the Address (port 19001) and ID of info.yaml, and Role: 0',
          run: 'cat /var/snap/microk8s/current/var/kubernetes/backend/info.yaml',
          on: 'node',
        },
        { say: 'start it again', run: 'microk8s start && microk8s status --wait-ready', on: 'node' },
      ],
      verified: 'microk8s status says that microk8s is running',
    },
    {
      say: 'Several members, this one damaged: take it out (microk8s remove-node NAME --force on another) and join it again; a cluster without leader is brought back by the recovery of lost quorum',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'who is a member and who votes',
          run: 'microk8s status; cat /var/snap/microk8s/current/var/kubernetes/backend/cluster.yaml',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'canonical/go-dqlite app/store.go (cluster.yaml, info.yaml)',
    'canonical/raft src/uv_segment.c',
    'microk8s docs: recover from lost quorum',
  ],
});
