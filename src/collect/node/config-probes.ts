import { file, type HostProbe, has, look } from './probe.ts';

const SETTINGS_ONLY = `grep -v '^[[:space:]]*#' "$file"`;
const UNITS = ['kubelet', 'containerd', 'docker', 'crio', 'cri-docker', 'k3s', 'k3s-agent'];
const SHOWN_UNITS = [...UNITS, 'iscsid', 'multipathd', 'rpcbind', 'chronyd', 'chrony', 'systemd-timesyncd', 'firewalld', 'apparmor'];

/** systemctl without systemd only complains. */
const SYSTEMD = `[ -d /run/systemd/system ] && ${has('systemctl')}`;

/** What the kubelet and the runtimes are told, by files, flags and units. */
export const CONFIG_PROBES: readonly HostProbe[] = [
  look('processes', 'kubelet-config', "ps -eo pid,args | grep -E 'kubelet|containerd|dockerd|crio'", {
    runs: `printf '%s' "$daemons"`,
    when: '[ -n "$daemons" ]',
  }),
  file('kubelet-config', 'kubelet-config', '$kubelet_config', { when: '[ -e "$kubelet_config" ] || [ -n "$kubelet_args" ]' }),
  file('kubelet-config-directory', 'kubelet-config', '$file', { each: ['/etc/kubernetes/kubelet.conf.d/*.conf'] }),
  file('kubelet-flags', 'kubelet-config', '$file', {
    each: ['/var/lib/kubelet/kubeadm-flags.env', '/etc/default/kubelet', '/etc/sysconfig/kubelet'],
    runs: SETTINGS_ONLY,
  }),
  look('units', 'kubelet-config', `systemctl cat ${UNITS.join(' ')} --no-pager`, {
    runs: `systemctl cat ${UNITS.join(' ')} --no-pager 2>/dev/null`,
    when: SYSTEMD,
  }),
  look('unit-states', 'unit-state', `systemctl show ${SHOWN_UNITS.join(' ')} --no-pager`, {
    runs: `systemctl show ${SHOWN_UNITS.join(' ')} --no-pager -p Id,LoadState,ActiveState,SubState,Result,NRestarts,ExecMainStatus,UnitFileState,ActiveEnterTimestamp`,
    when: SYSTEMD,
  }),
  look('failed-units', 'unit-state', 'systemctl list-units --failed --no-legend --no-pager', { when: SYSTEMD }),
  file('containerd-config', 'containerd-config', '$containerd_config', {
    when: `[ -e "$containerd_config" ] || [ -n "$containerd_args" ] || ${has('containerd')}`,
  }),
  file('containerd-config-directory', 'containerd-config', '$file', { each: ['/etc/containerd/conf.d/*.toml'] }),
  look('containerd-dump', 'containerd-config', 'containerd --config $containerd_config config dump', {
    runs: 'containerd --config "$containerd_config" config dump',
    when: `${has('containerd')} && [ -e "$containerd_config" ]`,
  }),
  // Told to read a file that is not there it fails, which the daemon does not: it works with its defaults.
  look('containerd-defaults', 'containerd-config', 'containerd config dump', {
    when: `${has('containerd')} && [ ! -e "$containerd_config" ]`,
  }),
  file('docker-config', 'docker-config', '$file', { each: ['/etc/docker/daemon.json'] }),
  look('docker-info', 'docker-config', 'docker info', { when: `[ -S /run/docker.sock ] && ${has('docker')}` }),
  look('docker-containers', 'runtime-state', 'docker ps -a', { when: `[ -S /run/docker.sock ] && ${has('docker')}` }),
  file('crio-files', 'crio-config', '$file', {
    each: ['/etc/crio/crio.conf', '/etc/crio/crio.conf.d/*.conf'],
    runs: SETTINGS_ONLY,
  }),
  look('crio-config', 'crio-config', 'crio config', { when: has('crio'), runs: 'crio config 2>/dev/null' }),
];

const CRI = 'crictl --runtime-endpoint unix://$cri_socket';
const BY_CRICTL = has('crictl');

function crictl(id: string, channel: HostProbe['channel'], verb: string, builtin: NonNullable<HostProbe['builtin']>): HostProbe {
  return look(id, channel, `${CRI} ${verb}`, {
    // Its warnings are about its own configuration, not about the host.
    runs: `crictl --runtime-endpoint "unix://$cri_socket" --timeout 3s ${verb} 2>&1 | grep -v -e level=warning -e '^WARN'`,
    when: BY_CRICTL,
    builtin,
  });
}

function ctr(id: string, channel: HostProbe['channel'], rest: string, when = '[ -S "$containerd_socket" ]'): HostProbe {
  return look(id, channel, `ctr --address $containerd_socket ${rest}`, {
    runs: `ctr --address "$containerd_socket" ${rest}`,
    when: `${when} && ${has('ctr')}`,
    seconds: 3,
  });
}

/** What the runtime says of itself, asked over its socket. */
export const RUNTIME_PROBES: readonly HostProbe[] = [
  crictl('cri-version', 'host-versions', 'version', 'cri-version'),
  crictl('cri-info', 'runtime-state', 'info', 'cri-info'),
  crictl('cri-runtime-config', 'containerd-config', 'runtime-config', 'cri-runtime-config'),
  crictl('cri-pods', 'runtime-state', 'pods --no-trunc', 'cri-pods'),
  crictl('cri-containers', 'runtime-state', 'ps -a --no-trunc', 'cri-ps'),
  ctr('ctr-version', 'host-versions', 'version'),
  ctr('ctr-plugins', 'runtime-state', 'plugins ls'),
  ctr('ctr-tasks', 'runtime-state', '--namespace k8s.io tasks ls'),
  ctr('ctr-docker-tasks', 'runtime-state', '--namespace moby tasks ls', '[ -S /run/docker.sock ] && [ -S "$containerd_socket" ]'),
];
