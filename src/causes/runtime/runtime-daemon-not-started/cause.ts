import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, line, minutes, on, supports } from '../../define-cause.ts';

const NAMES = 'docker|containerd|crio|cri-o|cri-docker';
const UNIT = new RegExp(`^(?:${NAMES})(?:\\.service)?$`);
/** The client only knows that nobody answers at the socket. */
const noAnswer = line(
  ['Cannot connect to the Docker daemon at', 'Cannot connect to Podman'],
  ['docker-log', 'runtime-state', 'host-tools', 'container-log', 'prose'],
  /Cannot connect to the Docker daemon at (?<socket>(?:unix|tcp|http):\/\/\S{3,120}?)\. Is the docker daemon running/,
);
const failed = line(
  [
    '.service failed because',
    'Failed to start Docker Application',
    'Failed to start containerd',
    'Failed to start Container Runtime Interface',
    '.service is masked',
  ],
  ['system-log', 'unit-state', 'host-tools', 'prose'],
  new RegExp(
    `(?:Job for |Unit )(?<unit>${NAMES})\\.service (?:failed because|is (?<masked>masked))|Failed to start (?:(?<docker>Docker Application Container Engine)|(?<containerd>containerd)|(?<crio>Container Runtime Interface for OCI))`,
  ),
);
const up = line(['API listen on /', 'Daemon has completed initialization', 'containerd successfully booted'], []);
const words = line(
  ['failed to start daemon', 'containerd: failed', 'level=fatal'],
  [],
  /failed to start daemon: |^containerd: |level=fatal|unable to configure the Docker daemon/,
);

export const cause = defineCause({
  id: 'runtime-daemon-not-started',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['runtime-down', 'kubelet-down', 'node-not-ready', 'other-trouble'],
  effectOf: [
    'containerd-config-version-or-path-mismatch',
    'crio-cgroup-manager-mismatch',
    'crio-config-invalid',
    'cri-dockerd-not-running',
    'disk-full-root',
    'docker-daemon-config-invalid',
    'docker-network-cannot-start',
    'docker-stale-pid-file',
    'dockerd-lost-containerd',
    'local-cluster-tool-refuses',
    'kernel-too-old-or-module-missing',
    'overlayfs-or-snapshotter-failure',
    'runtime-daemon-restart-loop',
    'runtime-daemon-runs-twice',
    'runtime-database-damaged',
    'runtime-socket-gone-or-refused',
    'runtime-socket-permission-denied',
    'unit-command-cannot-run',
    'unit-not-installed',
  ],
  wakesOn: [on('unit.state', { active: 'failed' }), on('unit.state', { enabled: 'masked' })],

  text: {
    name: 'Runtime daemon is not up',
    title: '{daemon} on {node} is not running: {what}',
    why: '{what}. Why it does not run is not in what was shown; its own journal tells. {often}',
  },

  clues: {
    noAnswer: supports(noAnswer),
    failed: supports(failed),
    state: supports('unit.state', isDown),
    up: excludes(up),
    words: excludes(words),
  },
  says: {
    noAnswer: 'nobody answers at the socket of Docker {socket}',
    failed: 'systemd could not start {daemon}',
    state: 'the unit of {daemon} is down',
    up: 'the daemon has come up since',
    words: 'the daemon says itself why it ends',
  },
  slots: (place, { noAnswer: silent, failed: job, state }) => {
    const unit = (
      job?.fields['unit'] ??
      (job?.fields['containerd'] ? 'containerd' : job?.fields['crio'] ? 'crio' : undefined) ??
      state?.unit ??
      'docker'
    ).replace(/\.service$/, '');
    const socket = silent?.fields['socket'] ?? '';
    const masked = job?.fields['masked'] !== undefined || state?.enabled === 'masked';
    return {
      node: place.name,
      unit,
      daemon: unit === 'docker' ? 'Docker' : unit,
      socket,
      what: masked
        ? `its unit ${unit}.service is masked, so nothing can start it`
        : job || state
          ? `systemd could not start ${unit}.service`
          : `nobody answers at ${socket || 'its socket'}`,
      often: masked
        ? 'Somebody masked it on purpose, often because containerd took its place.'
        : socket.startsWith('tcp')
          ? 'An address over TCP comes from DOCKER_HOST: in a pipeline the dind service is missing, not ready yet, or wants TLS on port 2376.'
          : 'Most often: the service was not started after the installation or a reboot, daemon.json or config.toml has an error, the disk is full, iptables or a kernel module is missing; inside a container, the socket is not mounted.',
    };
  },

  fixes: [
    {
      say: 'See its state and its last words',
      risk: 'reads-only',
      steps: [
        {
          say: 'state and journal',
          run: 'systemctl status {{unit}} --no-pager -l | head -20; journalctl -u {{unit}} -b --no-pager | grep -iE "error|fatal|failed" | tail -15; df -h /var/lib; echo "DOCKER_HOST=$DOCKER_HOST"',
          on: 'node',
        },
      ],
    },
    {
      say: 'Start it, now and at boot',
      risk: 'touches-node',
      steps: [
        {
          say: 'unmask it where it is masked',
          run: 'systemctl unmask {{unit}}; systemctl enable --now {{unit}}; systemctl is-active {{unit}}',
          on: 'node',
        },
      ],
      verified: 'docker info or crictl info answers',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['docker/cli, moby client/errors.go (ErrorConnectionFailed)', 'systemd.service(5)'],
});

function isDown({ unit, active, enabled }: Fact<'unit.state'>): boolean {
  return UNIT.test(unit) && (active === 'failed' || enabled === 'masked');
}
