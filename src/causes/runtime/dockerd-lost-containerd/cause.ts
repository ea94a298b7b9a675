import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const cannotDial = line(
  [
    'grpc: addrConn.createTransport failed to connect to',
    'failed to retrieve containerd version',
    'Failed to connect to containerd',
    'failed to dial "/run/containerd/containerd.sock"',
  ],
  'docker-log',
  /containerd(?:\.sock| version| ?:)(?:.{0,300}?(?<error>connection refused|no such file or directory|context deadline exceeded|Unavailable))?/i,
);
const runtimeDown = line(['container runtime is down', 'pleg is not healthy'], ['kubelet-log', 'node-status']);
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
    dial: proves(cannotDial),
    mute: proves('runtime.setting', ({ runtime, key, value }) => runtime === 'containerd' && key === 'answers' && value === 'no'),
    hangs: supports('container.hangs', ({ init }) => init),
    lateStart: supports('container.hangs', ({ startDelaySeconds }) => (startDelaySeconds ?? 0) >= 60),
    told: supports('runtime.setting', ({ key, value }) => key === 'containerd-link' && value === 'lost'),
    pleg: supports(runtimeDown),
    timeout: supports(dockerTimeout),
    goneTask: proves('container.runtime-state', ({ by, state }) => by === 'ctr' && state === 'stopped'),
    ownWait: excludes(waitsForSomething, ({ channel }) => channel === 'container-log'),
    otherRuntime: excludes('node.info', ({ runtime }) => runtime !== undefined && runtime !== 'docker'),
  },
  says: {
    docker: 'Docker calls {container} up all that time',
    dial: 'Docker cannot reach containerd: {error}',
    mute: 'asked directly on the host, containerd gives no answer',
    hangs: '{container} is said to run for {minutes} minutes, without restart or event; {waiting} wait for it',
    lateStart: 'it was created and started {delay} seconds apart',
    told: 'Docker is said to have no connection to containerd',
    pleg: 'the kubelet finds the container runtime down or its listing stuck',
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
