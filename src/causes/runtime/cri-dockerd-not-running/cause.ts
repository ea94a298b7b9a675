import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const cannotDial = line(
  ['cri-dockerd.sock: connect:', 'cri-docker.sock: connect:', 'cri-dockerd.sock'],
  ['kubelet-log', 'kubeadm-output', 'runtime-state'],
  /dial unix (?<socket>\/\S{0,60}cri-docker(?:d)?\.sock): connect: (?<error>connection refused|no such file or directory)/,
);
const noDocker = line(
  ["Couldn't connect to docker", 'failed to get docker version'],
  ['kubelet-log', 'system-log', 'docker-log', 'runtime-state'],
  /Couldn't connect to docker|failed to get docker version(?: from dockerd|: )/i,
);
const adapterFails = line(
  ['cri-dockerd', 'cri-docker.service'],
  ['system-log', 'unit-state'],
  /cri-dockerd\[\d{1,10}\][^\n]{0,200}?level=fatal[^\n]{0,20}?msg="?(?<fatal>[^\n"]{3,200})|cri-docker\.service: (?:Failed with result|Main process exited|Start request repeated too quickly)[^\n]{0,100}|Failed to start (?:cri-docker\.service|CRI Interface for Docker)/i,
);
/** Installers that switch its units on, where they are not there. */
const noUnit = line(
  ['cri-docker.socket', 'cri-docker.service'],
  ['kubeadm-output', 'host-tools', 'system-log'],
  /systemctl (?:enable|start|restart|unmask)[^\n]{0,20} cri-docker(?:\.socket|\.service)?: exit status \d|(?:Unit|Unit file) cri-docker\.(?:socket|service) (?:could not be found|does not exist|not found)/,
);
const ADAPTER = /^cri-docker(?:d)?(?:\.service|\.socket)?$/;
const refusedVersion = line(
  ['Minimum supported API version is', 'Maximum supported API version is'],
  [],
  /client version [\d.]{3,10} is too (?:old|new)\./,
);
const driver = line(['misconfiguration: kubelet cgroup driver', 'is different from docker cgroup driver'], []);

export const cause = defineCause({
  id: 'cri-dockerd-not-running',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'runtime-down', 'control-plane-down', 'creating', 'stuck-terminating', 'other-trouble'],
  effectOf: ['runtime-daemon-restart-loop', 'disk-full-root', 'dockerd-lost-containerd', 'unit-command-cannot-run'],
  wakesOn: [
    on('unit.state', { unit: 'cri-docker.service' }),
    on('unit.state', { unit: 'cri-dockerd.service' }),
    on('unit.state', { unit: 'cri-docker' }),
  ],

  text: {
    name: 'cri-dockerd not running',
    title: 'cri-dockerd on {node} is not running, so the kubelet cannot reach Docker ({error})',
    why: 'On a Docker node with Kubernetes 1.24 or later the kubelet talks to cri-dockerd ({socket}), which passes its calls on to Docker. {what} So the kubelet does not start or the node turns NotReady, although Docker containers may go on running.',
  },

  clues: {
    cannotDial: proves(cannotDial, ({ channel }) => channel !== 'container-log'),
    stopped: supports('unit.state', ({ unit, active }) => ADAPTER.test(unit) && /^(?:inactive|failed|not-found)$/.test(active)),
    adapterFails: supports(adapterFails),
    noUnit: supports(noUnit),
    noDocker: supports(noDocker, ({ channel }) => channel !== 'container-log'),
    dockerDown: supports('unit.state', ({ unit, active }) => /^docker(?:\.service)?$/.test(unit) && /^(?:inactive|failed)$/.test(active)),
    driver: excludes(driver),
    refusedVersion: excludes(refusedVersion),
  },
  says: {
    cannotDial: 'the socket {socket} answers: {error}',
    stopped: 'the unit {unit} is {state}',
    adapterFails: 'cri-dockerd ends with an error{fatal}',
    noUnit: 'its units cannot be switched on: cri-dockerd is not installed',
    noDocker: 'Docker itself is not reached',
    dockerDown: 'Docker is not running',
    driver: 'kubelet and Docker use different cgroup drivers',
    refusedVersion: 'Docker answers, and refuses the version of the API',
  },
  slots: (place, { cannotDial: dial, stopped, adapterFails: fails, noUnit: absent, noDocker: silent, dockerDown }) => {
    const socket = dial?.fields['socket'] ?? '/run/cri-dockerd.sock';
    const error =
      dial?.fields['error'] ?? (stopped ? `${stopped.unit} is ${stopped.active}` : absent ? 'it is not installed' : 'it does not answer');
    return {
      node: place.name,
      socket,
      error,
      adapter: stopped?.active === 'not-found' ? '' : (stopped?.unit.replace(/\.(?:service|socket)$/, '') ?? 'cri-docker'),
      unit: stopped?.unit ?? 'cri-docker.service',
      state: stopped?.active ?? 'down',
      fatal: fails?.fields['fatal'] ? `: ${fails.fields['fatal']}` : '',
      what:
        dockerDown || silent
          ? 'Docker is down, so the adapter cannot serve either.'
          : absent || error.startsWith('no such file')
            ? 'There is no such socket: the adapter is not installed or its socket unit is not started.'
            : 'Nobody serves that socket.',
    };
  },

  fixes: [
    {
      say: 'See the state and the last words of adapter and Docker',
      risk: 'reads-only',
      steps: [
        { say: 'state', run: 'systemctl status cri-docker.service cri-docker.socket docker --no-pager', on: 'node' },
        { say: 'log', run: 'journalctl -u cri-docker -u docker -n 60 --no-pager', on: 'node' },
      ],
    },
    {
      say: 'Start Docker and cri-dockerd, now and at boot',
      risk: 'touches-node',
      steps: [
        { say: 'Docker first', run: 'systemctl enable --now docker', on: 'node' },
        {
          say: 'the adapter with its socket',
          run: 'systemctl daemon-reload && systemctl enable --now cri-docker.socket cri-docker.service',
          on: 'node',
        },
        { say: 'it must answer', run: 'crictl --runtime-endpoint unix://{{socket}} version', on: 'node' },
        { say: 'then the kubelet', run: 'systemctl restart kubelet', on: 'node' },
      ],
      changes: [
        { do: 'units', action: 'enable', units: ['docker', '{{adapter}}.socket', '{{adapter}}'] },
        { do: 'units', action: 'start', units: ['docker', '{{adapter}}.socket', '{{adapter}}'] },
        { do: 'units', action: 'restart', units: ['kubelet'] },
      ],
      verified: 'crictl version answers and {node} is Ready',
    },
    {
      say: 'If cri-dockerd is not installed: install its package, or move the node to containerd',
      risk: 'touches-node',
      for: ['noUnit'],
      steps: [
        {
          say: 'containerd is there with Docker: enable its CRI plugin and set --container-runtime-endpoint=unix:///run/containerd/containerd.sock',
          run: 'systemctl restart containerd kubelet',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'Mirantis/cri-dockerd core/docker_service.go, packaging/systemd',
    'kubernetes staging/src/k8s.io/cri-client/pkg/remote_runtime.go',
  ],
});
