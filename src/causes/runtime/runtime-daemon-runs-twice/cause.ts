import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const SAID = ['containerd-log', 'docker-log', 'system-log'] as const;
const locked = line(
  ['waiting for response from boltdb open', 'volume store metadata database: timeout'],
  SAID,
  /(?<bolt>waiting for response from boltdb open)|error while opening (?<store>volume store metadata database): timeout/,
);
const taken = line(
  ['failed to get listener for main', 'failed to load listeners: '],
  SAID,
  /failed to get listener for main (?:ttrpc )?endpoint[^\n]{0,160}?address already in use|failed to load listeners: [^\n]{0,120}?(?<socket>\/\S{3,120}\.sock): bind: address already in use/,
);
const up = line(['containerd successfully booted', 'Daemon has completed initialization'], SAID);

export const cause = defineCause({
  id: 'runtime-daemon-runs-twice',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['runtime-down', 'kubelet-down', 'node-not-ready', 'creating', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Runtime is started twice',
    title: 'The container runtime on {node} does not come up: another one already holds {what}',
    why: 'containerd and dockerd lock their databases and own their socket. A new one waits or ends as long as another process holds {what}: an old daemon that did not end, one of another package (snap, docker.io beside docker-ce, k3s with the same folder), or one started by hand.',
  },

  clues: {
    locked: proves(locked, (fact) => notByContainers(fact) && (fact.count >= 2 || fact.fields['store'] !== undefined)),
    waits: supports(locked),
    taken: proves(taken, notByContainers),
    up: excludes(up),
  },
  says: {
    locked: 'it waits for the lock of its database in vain',
    waits: 'it waits for the lock of its database',
    taken: 'its socket is already in use',
    up: 'the runtime has come up since',
  },
  slots: (place, { taken: socket }) => ({
    node: place.name,
    what: socket ? `its socket${socket.fields['socket'] ? ` ${socket.fields['socket']}` : ''}` : 'the lock of its database',
  }),

  fixes: [
    {
      say: 'Find the other one',
      risk: 'reads-only',
      steps: [
        {
          say: 'processes, and who has the files open',
          run: 'pgrep -af "containerd|dockerd" | grep -v shim; fuser -v /run/containerd/containerd.sock /var/run/docker.sock /var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db 2>&1',
          on: 'node',
        },
        {
          say: 'packages that bring one',
          run: 'systemctl list-units --all "*containerd*" "*docker*"; snap list docker 2>/dev/null',
          on: 'node',
        },
      ],
    },
    {
      say: 'Stop and disable the one that is not wanted, then start the other',
      risk: 'touches-node',
      steps: [
        {
          say: 'an old process of the same unit: end it',
          run: 'systemctl stop docker containerd; pgrep -af "containerd|dockerd" | grep -v shim',
          on: 'node',
        },
        { say: 'start anew', run: 'systemctl start containerd && systemctl restart kubelet', on: 'node' },
      ],
      verified: 'crictl info answers and the node is Ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['containerd plugins/metadata/plugin.go, cmd/containerd/server', 'moby volume/service/store.go, cmd/dockerd/daemon.go'],
});
