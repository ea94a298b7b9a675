import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const cannotDial = line(
  ['containerd.sock: connect:', 'crio.sock: connect:', 'pipe/containerd-containerd', 'pipe\\containerd-containerd'],
  ['kubelet-log', 'pod-events', 'runtime-state', 'kubeadm-output'],
  // Said as a matter of course: by k3s while its own containerd comes up, by every kubelet of the runtimes it does not use.
  /^(?![\s\S]{0,300}(?:Waiting for (?:containerd|cri)\b|Registration of the \w{1,20} container factory failed))[\s\S]{0,6000}?dial unix (?<socket>\/\S{0,160}?(?:containerd|crio)\.sock): connect: (?<error>connection refused|no such file or directory)|open (?<pipe>(?:\/\/|\\{2,8})\.[\\/]{1,4}pipe[\\/]{1,4}containerd-containerd): (?<windows>The system cannot find the file specified)/i,
);
const runtimeDown = line('container runtime is down', ['node-status', 'kubelet-log']);
/** microk8s starts its kubelet only when the socket is there; a few rounds are normal. */
const awaited = line(
  ['Waiting for containerd socket'],
  ['kubelet-log', 'system-log'],
  /Waiting for containerd socket (?<socket>\/\S{3,160}) to appear\. \(attempt (?<attempt>\d{1,4})\)/,
);
const RUNTIME = /^(?:containerd|crio|cri-o)(?:\.service)?$/;

export const cause = defineCause({
  id: 'runtime-socket-gone-or-refused',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: [
    'node-not-ready',
    'kubelet-down',
    'runtime-down',
    'creating',
    'init-stuck',
    'stuck-terminating',
    'control-plane-down',
    'other-trouble',
  ],
  effectOf: [
    'runtime-daemon-restart-loop',
    'containerd-config-version-or-path-mismatch',
    'disk-full-root',
    'os-upgrade-replaced-runtime-config',
  ],
  wakesOn: [on('node.symptom', { symptom: 'runtime-down' })],

  text: {
    name: 'Container runtime not reachable',
    title: 'The kubelet on {node} cannot reach the container runtime at {socket}: {error}',
    why: 'The kubelet runs containers through the socket {socket}. {meaning}. Containers that run go on, but none can be started, stopped or checked, and the node turns NotReady within a minute.',
  },

  clues: {
    // Docker dials containerd too, and a container may look for a socket that is only missing in its own mounts.
    cannotDial: proves(cannotDial, ({ channel }) => channel !== 'container-log' && channel !== 'docker-log'),
    awaited: supports(awaited, ({ count, fields }) => count >= 3 || Number(fields['attempt']) >= 2),
    stopped: supports(
      'unit.state',
      ({ unit, active }) => RUNTIME.test(unit) && /^(?:inactive|failed|not-found|deactivating)$/.test(active),
    ),
    runtimeDown: supports(runtimeDown),
    ready: excludes('node.status', ({ status }) => /^Ready(?:,|$)/.test(status)),
  },
  says: {
    cannotDial: 'the socket {socket} answers: {error}',
    awaited: 'microk8s waits in vain for the socket {socket}',
    stopped: 'the unit {unit} is {state}',
    runtimeDown: 'the kubelet reports that the container runtime is down',
    ready: 'the node is Ready: the runtime was away for a moment only',
  },
  slots: (place, { cannotDial: dial, awaited: waits, stopped }) => {
    const socket =
      dial?.fields['socket'] ??
      dial?.fields['pipe'] ??
      waits?.fields['socket'] ??
      (stopped && /crio|cri-o/.test(stopped.unit) ? '/var/run/crio/crio.sock' : '/run/containerd/containerd.sock');
    const error = dial?.fields['pipe']
      ? 'no such file'
      : (dial?.fields['error']?.toLowerCase() ?? (waits ? 'no such file or directory' : 'nothing answers'));
    const gone = error.startsWith('no such file');
    return {
      node: place.name,
      socket,
      error,
      meaning: gone
        ? 'There is no such socket: the runtime is not running, or it listens elsewhere'
        : 'Nobody listens on it: the daemon behind it is stopped, or dies again and again',
      unit: stopped?.unit ?? 'containerd',
      state: stopped ? [stopped.active, stopped.result].filter((word) => word).join(', ') : 'down',
      start:
        stopped?.active === 'not-found'
          ? ''
          : /crio\.sock$/.test(socket)
            ? 'crio'
            : /^\/(?:var\/)?run\/containerd\/containerd\.sock$/.test(socket)
              ? 'containerd'
              : '',
      daemon: socket.includes('crio')
        ? 'crio'
        : socket.startsWith('/var/snap/microk8s/')
          ? 'snap.microk8s.daemon-containerd'
          : 'containerd',
    };
  },

  fixes: [
    {
      say: 'See why the daemon is down, and where it listens',
      risk: 'reads-only',
      steps: [
        {
          say: 'state and last words of the daemon',
          run: 'systemctl status {{daemon}} --no-pager; journalctl -u {{daemon}} -n 50 --no-pager',
          on: 'node',
        },
        {
          say: 'the sockets that exist, and the one the kubelet wants',
          run: 'ls -l /run/containerd/containerd.sock /run/crio/crio.sock /run/cri-dockerd.sock; grep -rn -i endpoint /var/lib/kubelet/kubeadm-flags.env /var/lib/kubelet/config.yaml',
          on: 'node',
        },
      ],
    },
    {
      say: 'Start the container runtime ({daemon}) again',
      risk: 'touches-node',
      steps: [
        { say: 'start it now and at boot', run: 'systemctl enable --now {{daemon}}', on: 'node' },
        { say: 'it must answer', run: 'crictl --runtime-endpoint unix://{{socket}} version', on: 'node' },
        { say: 'then restart the kubelet', run: 'systemctl restart kubelet', on: 'node' },
      ],
      changes: [
        { do: 'units', action: 'enable', units: ['{{start}}'] },
        { do: 'units', action: 'start', units: ['{{start}}'] },
        { do: 'units', action: 'restart', units: ['kubelet'] },
      ],
      verified: 'crictl version answers and the node is Ready',
    },
    {
      say: 'Where the daemon runs on another socket: correct containerRuntimeEndpoint of the kubelet',
      risk: 'touches-node',
      steps: [
        {
          say: 'containerRuntimeEndpoint in /var/lib/kubelet/config.yaml (before 1.27: --container-runtime-endpoint in kubeadm-flags.env): unix:///run/containerd/containerd.sock, unix:///var/run/crio/crio.sock, k3s unix:///run/k3s/containerd/containerd.sock',
          run: 'systemctl restart kubelet',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes staging/src/k8s.io/cri-client/pkg/remote_runtime.go',
    'kubernetes pkg/kubelet/kubelet.go, pkg/kubelet/pleg/generic.go',
  ],
});
