import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const DAEMONS = 'kubelet|containerd|docker|crio|cri-docker|cri-dockerd';
/** Somebody wants it to run; older systemd does not repeat the name. */
const wanted = line(
  ['Unit not found', ' not found.', 'does not exist', 'unrecognized service', 'No such file or directory'],
  ['host-tools', 'unit-state', 'kubeadm-output', 'system-log'],
  new RegExp(
    String.raw`Failed to (?:start|restart|enable|reload|unmask) (?:unit: Unit file )?(?<unit>${DAEMONS})(?:\.service|\.socket)?(?:: Unit (?:\S{1,60} )?(?:not found|not loaded|could not be found)| does not exist)|(?<file>${DAEMONS})\.service does not exist|^(?<service>${DAEMONS}): unrecognized service`,
    'm',
  ),
);
const UNIT = new RegExp(`^(?:${DAEMONS})(?:\\.service)?$`);
/** These bring kubelet and runtime in one program, and have no units of those names. */
const bundled = line(
  ['/var/lib/rancher/', 'k3s.service', 'k3s-agent.service', 'rke2-server', 'rke2-agent', 'snap.microk8s', 'k0scontroller', 'k0sworker'],
  [],
);

export const cause = defineCause({
  id: 'unit-not-installed',
  area: 'node',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['kubelet-down', 'runtime-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  wakesOn: [on('unit.state', { unit: 'kubelet', active: 'not-found' })],

  text: {
    name: 'Service is not installed',
    title: '{unit} is not installed on {node}: systemd knows no unit {unit}.service',
    why: 'systemd finds no unit file of that name: the package was never installed or was removed, its installation failed half-way (repository, version, architecture), or the program was copied without its unit file. {hint}',
  },

  clues: {
    wanted: proves(wanted),
    kubelet: supports('unit.state', ({ unit, active }) => /^kubelet(?:\.service)?$/.test(unit) && active === 'not-found'),
    there: excludes('unit.state', ({ unit, active }) => UNIT.test(unit) && /^(?:active|activating|failed)$/.test(active)),
    bundled: excludes(bundled),
  },
  says: {
    wanted: 'systemd finds no unit {unit}.service to start',
    kubelet: 'systemd finds no unit kubelet.service',
    there: 'the unit is there',
    bundled: 'this node runs k3s, rke2, k0s or microk8s, which have no such unit',
  },
  slots: (place, { wanted: asked }) => {
    const unit = asked?.fields['unit'] ?? asked?.fields['file'] ?? asked?.fields['service'] ?? 'kubelet';
    return {
      node: place.name,
      unit,
      hint:
        unit === 'kubelet'
          ? 'Without the kubelet the machine cannot be a node (only k3s, rke2, k0s and microk8s have it inside another service).'
          : 'Without a container runtime the kubelet cannot start a single pod; see which runtime this node is meant to have.',
    };
  },

  fixes: [
    {
      say: 'See what is installed, and under which name',
      risk: 'reads-only',
      steps: [
        {
          say: 'units and programs',
          run: "systemctl list-unit-files --no-pager | grep -E 'kubelet|containerd|docker|crio|k3s|rke2|k0s|microk8s'; command -v kubelet kubeadm containerd dockerd crio k3s",
          on: 'node',
        },
        {
          say: 'packages, and what was removed lately',
          run: "rpm -qa 2>/dev/null | grep -E 'kube|containerd|docker|cri-o'; dpkg -l 2>/dev/null | grep -E 'kube|containerd|docker|cri-o'; grep -hE ' (remove|install) ' /var/log/dpkg.log 2>/dev/null | tail",
          on: 'node',
        },
      ],
    },
    {
      say: 'Install it from the package repository, then enable and start it',
      risk: 'touches-node',
      steps: [
        {
          say: 'kubelet and kubeadm in the version of the cluster (their repository must be set up first)',
          run: 'apt-get install -y kubelet kubeadm',
          on: 'node',
          family: 'debian',
        },
        {
          say: 'kubelet and kubeadm in the version of the cluster; the exclude line of the repository hides them otherwise',
          run: 'dnf install -y kubelet kubeadm --disableexcludes=kubernetes',
          on: 'node',
          family: 'rhel',
        },
        { say: 'a runtime', run: 'apt-get install -y containerd', on: 'node', family: 'debian' },
        { say: 'a runtime', run: 'dnf install -y containerd.io || dnf install -y cri-o', on: 'node', family: 'rhel' },
        { say: 'then', run: 'systemctl daemon-reload && systemctl enable --now {{unit}}', on: 'node' },
      ],
      verified: 'systemctl status {unit} shows the unit as loaded',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['systemd src/systemctl', 'kubernetes website: installing kubeadm'],
});
