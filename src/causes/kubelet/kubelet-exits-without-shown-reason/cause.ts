import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, line, minutes, on, supports } from '../../define-cause.ts';

const UNITS = 'kubelet|k3s|k3s-agent|rke2-server|rke2-agent|k0s(?:controller|worker)|snap\\.microk8s\\.daemon-kubelite';
const UNIT = new RegExp(`^(?:${UNITS})(?:\\.service)?$`);
/** What systemd says where it starts such a unit, also where the front of the line was cut off. */
const ended = line(
  [
    '.service: Main process exited',
    '.service: Failed with result',
    '.service: Unit entered failed state',
    '.service entered failed state',
    '.service holdoff time over',
    '.service: Service hold-off time over',
    '.service: Scheduled restart job',
    '.service: Start request repeated too quickly',
    '.service failed because',
    'Failed to start kubelet',
    'Failed to start Lightweight Kubernetes',
    'Failed to start Rancher Kubernetes Engine',
    'microk8s is not running',
    '/run/k0s/status.sock',
  ],
  ['system-log', 'unit-state', 'host-tools', 'prose'],
  new RegExp(
    `(?:^|[\\s"'])(?<unit>${UNITS})\\.service(?:: (?:[Mm]ain process exited, code=(?<code>\\w{3,10}), ?status=(?<status>(?!0\\/|203\\/)[\\w/-]{1,30})|Failed with result|Unit entered failed state|Service hold-off time over|Scheduled restart job, restart counter is at (?<count>\\d{1,9})|Start request repeated too quickly)| entered failed state| holdoff time over| failed because (?:the control process exited|a timeout was exceeded|the service did not take))|Failed to start (?<described>kubelet|Lightweight Kubernetes|Rancher Kubernetes Engine)|(?<micro>microk8s is not running)\\.|can't get "status" via "(?<k0s>[\\w./]{0,60}k0s/status\\.sock)"`,
    'i',
  ),
);
const cameUp = line(
  ['Started kubelet', 'Successfully registered node', 'Node ready and registered', ' is up and running'],
  ['kubelet-log'],
  /Started kubelet(?![.:]| -)|Successfully registered node|(?:k3s|rke2) is up and running/,
);
/** The one who waits tells more about the loop than the loop itself. */
const waits = line(
  ['[kubelet-check]', 'error execution phase', '[wait-control-plane]', 'Exiting due to '],
  [],
  /\[kubelet-check\]|error execution phase|\[wait-control-plane\]|Exiting due to /,
);
const DESCRIBED: Readonly<Record<string, string>> = { 'Lightweight Kubernetes': 'k3s', 'Rancher Kubernetes Engine': 'rke2-server' };

export const cause = defineCause({
  id: 'kubelet-exits-without-shown-reason',
  area: 'kubelet',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: [
    'app-exec-format-error',
    'cgroup-driver-dockershim-or-cri-dockerd-mismatch',
    'cgroup-driver-kubelet-cgroupfs-runtime-systemd',
    'cgroup-driver-kubelet-systemd-runtime-cgroupfs',
    'cgroup-root-slice-missing-or-controllers',
    'cgroup-v1-host-refused',
    'containerd-cri-plugin-disabled',
    'disk-full-root',
    'dockershim-removed',
    'etcd-corrupt-or-data-lost',
    'etcd-no-quorum-or-slow',
    'hostname-or-machine-id-duplicate',
    'inotify-limits-exhausted',
    'kernel-too-old-or-module-missing',
    'kubeadm-control-plane-join-refused',
    'kubeadm-join-api-unreachable',
    'kubeadm-join-token-or-ca-hash-invalid',
    'kubeadm-waits-for-kubelet-in-vain',
    'kubelet-bootstrap-or-cert-expired',
    'kubelet-ca-not-trusted',
    'kubelet-cannot-reach-api',
    'kubelet-config-missing-or-invalid',
    'kubelet-cpu-or-memory-manager-state',
    'kubelet-disk-root-full',
    'kubelet-eviction-or-reserved-misconfigured',
    'kubelet-in-container-lacks-access',
    'kubelet-node-not-found',
    'kubelet-port-in-use',
    'kubelet-rootfs-stats-unavailable',
    'kubelet-runtime-endpoint-unset',
    'kubelet-runtime-version-skew',
    'kubelet-swap-on',
    'kubelet-version-skew',
    'max-user-namespaces-or-sysctl-hardening',
    'node-address-not-on-host',
    'oom-node-global',
    'overlayfs-or-snapshotter-failure',
    'runtime-daemon-restart-loop',
    'runtime-socket-gone-or-refused',
    'runtime-socket-permission-denied',
    'selinux-relabel-or-type',
    'systemd-or-dbus-broken',
    'unit-command-cannot-run',
  ],
  wakesOn: [
    on('node.symptom', { symptom: 'kubelet-down' }),
    on('unit.state', { sub: 'auto-restart' }),
    on('unit.state', { active: 'failed' }),
  ],

  text: {
    name: 'Kubelet ends, reason not shown',
    title: '{daemon} on {node} ends right after its start ({how}); what it ended on is not in what was shown',
    why: 'systemd starts {daemon} again each time it ends ({how}). That is all this output tells: the reason is in the last lines of its own journal before each end. {often}',
  },

  clues: {
    state: supports('unit.state', (state) => UNIT.test(state.unit) && isEnding(state)),
    ended: supports(ended),
    cameUp: excludes(cameUp),
    words: excludes(
      'log.error',
      ({ channel, level, component }) => /^(?:fatal|error)$/.test(level) && channel === 'kubelet-log' && component !== 'systemd',
    ),
    waits: excludes(waits),
  },
  says: {
    state: 'the unit of {daemon} does not stay up: {how}',
    ended: 'systemd tells that {daemon} ended: {how}',
    cameUp: 'it has come up since',
    words: 'it says itself what it ends on',
    waits: 'the one who waits for it tells more',
  },
  slots: (place, { state, ended: said }) => {
    const described = said?.fields['described'];
    const unit = (
      state?.unit ??
      said?.fields['unit'] ??
      (said?.fields['micro'] ? 'snap.microk8s.daemon-kubelite' : said?.fields['k0s'] ? 'k0scontroller' : undefined) ??
      (described ? (DESCRIBED[described] ?? described) : 'kubelet')
    ).replace(/\.service$/, '');
    const status = state?.exitStatus ?? said?.fields['status'];
    const restarts = state?.restarts ?? (said?.fields['count'] ? Number(said.fields['count']) : undefined);
    const kubelet = unit === 'kubelet';
    return {
      node: place.name,
      daemon: kubelet ? 'the kubelet' : `the service ${unit}`,
      unit,
      how:
        [
          restarts !== undefined && restarts > 1 ? `restart counter at ${restarts}` : undefined,
          status ? `exit status ${status}` : state?.result && state.result !== 'exit-code' ? `result ${state.result}` : undefined,
        ]
          .filter((part) => part !== undefined)
          .join(', ') || (said?.fields['micro'] || said?.fields['k0s'] ? 'it does not answer' : 'it failed'),
      often: kubelet
        ? 'Most often: /var/lib/kubelet/config.yaml is missing because kubeadm init or join has not run yet (then the loop is normal and ends by itself), swap is on, containerd does not answer, the cgroup drivers differ, a flag was removed in a newer version, or a certificate has expired.'
        : unit.includes('microk8s')
          ? 'Most often: dqlite or the API server of kubelite does not come up, the disk is full, the address or name of the machine changed, swap or a missing cgroup on small machines, or a container (LXD) without the right profile; microk8s inspect names what it finds.'
          : 'Most often: the server of K3S_URL is not reached or the token is wrong (agent), a port such as 6443 or 10250 is taken, etcd has no quorum or damaged data, the memory cgroup is off, or a flag is not known.',
    };
  },

  fixes: [
    {
      say: 'Read the last words before the end, and paste them here',
      risk: 'reads-only',
      steps: [
        {
          say: 'the errors of the last starts',
          run: 'journalctl -u {{unit}} -b --no-pager | grep -E "[EF][0-9]{4} |level=(fatal|error)|command failed|err=|error:" | tail -15',
          on: 'node',
        },
        {
          say: 'nothing there: all of the last minute, without cutting long lines',
          run: "journalctl -u {{unit}} --since '-1 min' --no-pager -o cat | tail -60",
          on: 'node',
        },
      ],
    },
    {
      say: 'Look at what it is most often',
      risk: 'reads-only',
      steps: [
        {
          say: 'configuration there, swap off, runtime answers, disk not full, certificate still valid',
          run: 'ls -l /var/lib/kubelet/config.yaml; swapon --show; crictl info | head -5; df -h /var/lib; openssl x509 -enddate -noout -in /var/lib/kubelet/pki/kubelet-client-current.pem',
          on: 'node',
        },
      ],
      verified: 'systemctl is-active {unit} says active for a minute',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['systemd.service(5), systemd src/core/service.c', 'kubernetes.io: troubleshooting kubeadm'],
});

/** A unit that counted restarts over months and runs is no loop; 203 is a program that systemd cannot execute. */
function isEnding({ active, sub, restarts, exitStatus }: Fact<'unit.state'>): boolean {
  if (exitStatus?.startsWith('203/')) return false;
  if (active === 'failed' || sub === 'auto-restart') return true;
  return active !== 'inactive' && (restarts ?? 0) >= 5;
}
