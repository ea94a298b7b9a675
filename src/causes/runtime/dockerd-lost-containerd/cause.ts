import { defineCause, excludes, line, minutes, on, proves, supports, withContext } from '../../define-cause.ts';

const cannotDial = line(
  [
    'grpc: addrConn.createTransport failed to connect to',
    'failed to retrieve containerd version',
    'Failed to connect to containerd',
    'failed to dial "/run/containerd/containerd.sock"',
  ],
  'docker-log',
  // Every client of containerd prints these words: the line must be Docker's own.
  withContext(
    /containerd(?:\.sock| version| ?:)(?:.{0,300}?(?<error>connection refused|no such file or directory|context deadline exceeded|Unavailable))?/,
    {
      may: [/(?<docker>\bdockerd\b|\bmodule=(?:grpc|libcontainerd)|\bmoby\b|failed to start daemon|failed to retrieve containerd version)/],
    },
  ),
);
/** What dockerd answers the kubelet with meanwhile. */
const answers = line(
  ['grpc: the connection is unavailable', 'all SubConns are in TransientFailure', 'transport is closing'],
  ['pod-events', 'kubelet-log'],
  /Error response from daemon: [^\n]{0,500}?(?:grpc: the connection is unavailable|all SubConns are in TransientFailure|transport is closing)/,
);
const dockerTimeout = line('operation timeout: context deadline exceeded', 'kubelet-log');
const waitsForSomething = line(
  ['waiting for', 'retrying in', 'connection refused', 'no such host', 'timed out'],
  'container-log',
  /(?:waiting for|still waiting|retrying|connection refused|no such host|i\/o timeout|timed out)/i,
);

export const cause = defineCause({
  id: 'dockerd-lost-containerd',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['init-stuck', 'creating', 'stuck-terminating', 'node-not-ready', 'runtime-down'],
  wakesOn: [on('container.hangs'), on('runtime.setting', { key: 'containerd-link' })],

  text: {
    name: 'Docker lost containerd',
    title: 'Docker on {node} has lost its connection to containerd',
    why: 'Docker learns from containerd that a container has ended. With the connection gone, {container} is reported as running for ever although its process may long be over; the kubelet waits, and the containers after it never start.',
  },

  clues: {
    docker: supports('container.runtime-state', ({ by, state }) => by === 'docker' && state === 'running'),
    dial: proves(cannotDial, ({ channel, fields }) => channel === 'docker-log' || fields['docker'] !== undefined),
    answers: proves(answers),
    mute: proves('runtime.setting', ({ key, value, hearsay }) => key === 'containerd-link' && value === 'lost' && !hearsay),
    hangs: supports('container.hangs', ({ init }) => init),
    lateStart: supports('container.hangs', ({ startDelaySeconds }) => (startDelaySeconds ?? 0) >= 60),
    told: supports('runtime.setting', ({ key, value, hearsay }) => key === 'containerd-link' && value === 'lost' && hearsay === true),
    // A kill that takes too long stands in the events of any pod that does not end.
    timeout: supports(dockerTimeout, ({ channel }) => channel === 'kubelet-log'),
    goneTask: proves('container.runtime-state', ({ by, state }) => by === 'ctr' && state === 'stopped'),
    ownWait: excludes(waitsForSomething, ({ channel }) => channel === 'container-log'),
    otherRuntime: excludes('node.info', ({ runtime }) => runtime !== undefined && runtime !== 'docker'),
  },
  says: {
    docker: 'Docker calls {container} up all that time',
    dial: 'Docker cannot reach containerd: {error}',
    answers: 'Docker answers that its connection to containerd is unavailable',
    mute: 'asked directly on the host, containerd gives no answer',
    hangs: '{container} is said to run for {minutes} minutes, without restart or event; {waiting} wait for it',
    lateStart: 'it was created and started {delay} seconds apart',
    told: 'Docker is said to have no connection to containerd',
    timeout: 'calls to Docker time out',
    goneTask: 'containerd knows the task as stopped, Docker as running',
    ownWait: 'the init container waits for something itself, and says so in its log',
    otherRuntime: 'the node does not run Docker',
  },
  slots: (place, { dial, hangs, lateStart, docker }) => {
    const container = hangs?.about.split('/').at(-1) ?? docker?.about.split('/').at(-1) ?? 'a container';
    return {
      node: place.name,
      container,
      error: dial?.fields['error'] || 'connection lost',
      minutes: Math.round((hangs?.forSeconds ?? 0) / 60),
      waiting: hangs && hangs.laterWaiting.length > 0 ? hangs.laterWaiting.join(', ') : 'the others',
      delay: lateStart?.startDelaySeconds ?? 0,
    };
  },

  fixes: [
    {
      say: 'See whether containerd hangs before touching it',
      risk: 'reads-only',
      steps: [
        {
          say: 'state and journal of both daemons',
          run: 'systemctl status containerd docker --no-pager; journalctl -u docker -u containerd --since "2 hours ago" --no-pager | tail -50',
          on: 'node',
        },
        { say: 'tasks as containerd knows them; compare with docker ps', run: 'ctr -n moby tasks ls', on: 'node' },
      ],
    },
    {
      say: 'Restart containerd, and Docker too if it still shows containers whose process is gone',
      risk: 'touches-node',
      steps: [
        { say: 'keep new pods away from {node}', run: 'kubectl cordon {{node}}', on: 'cluster' },
        { say: 'restart containerd; running containers survive through their shims', run: 'systemctl restart containerd', on: 'node' },
        {
          say: 'look for containers Docker calls up whose process is gone',
          run: 'for c in $(docker ps -q); do docker top "$c" > /dev/null 2>&1 || echo "gone: $c"; done',
          on: 'node',
        },
        {
          say: 'if any: restart Docker (without live-restore this stops all its containers), then the kubelet',
          run: 'systemctl restart docker && systemctl restart kubelet',
          on: 'node',
        },
        { say: 'open {node} again', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
      changes: [{ do: 'units', action: 'restart', units: ['containerd', 'docker'] }],
      verified: '{container} ends, the containers after it start, and the node stays Ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'moby daemon/info_unix.go, libcontainerd/remote',
    'kubernetes pkg/kubelet/dockershim (until 1.23)',
    'cri-dockerd core/docker_service.go',
  ],
});
