import type { Channel } from '../model/channel.ts';
import type { FactKind } from '../model/facts.ts';

/** How to get evidence of a kind: what an operator would type, where, and what it costs. */
export interface Probe {
  readonly command: (about: ProbeSlots) => string;
  readonly where: 'node' | 'anywhere';
  /** 1: a glance; 5: minutes or rights few people have. */
  readonly cost: number;
  readonly tells: string;
}

/** What can be asked of a running cluster once its objects are listed. */
export type LiveProbe = 'container-log' | 'kubelet-configz' | 'kubelet-healthz' | 'node-log' | 'referred-objects' | 'host';

export interface ProbeSlots {
  readonly namespace: string;
  readonly pod: string;
  readonly container?: string;
  readonly node: string;
}

const inNamespace = ({ namespace }: ProbeSlots) => `-n ${namespace}`;

const BY_CHANNEL: { readonly [C in Channel]: Probe } = {
  'pod-status': probe('anywhere', 1, "the pod's state", (s) => `kubectl get pod ${s.pod} ${inNamespace(s)} -o wide`),
  'pod-spec': probe('anywhere', 1, "the pod's containers, states and limits", (s) => `kubectl describe pod ${s.pod} ${inNamespace(s)}`),
  'pod-events': probe('anywhere', 1, 'what happened to the pod lately', (s) => `kubectl describe pod ${s.pod} ${inNamespace(s)}`),
  'node-status': probe('anywhere', 1, "the node's conditions and versions", (s) => `kubectl describe node ${s.node}`),
  'node-events': probe(
    'anywhere',
    1,
    'what happened to the node lately',
    (s) => `kubectl get events -A --field-selector involvedObject.kind=Node,involvedObject.name=${s.node}`,
  ),
  workload: probe('anywhere', 1, 'what the controller wants and has', (s) => `kubectl get deploy,ds,sts,rs,job ${inNamespace(s)} -o wide`),
  'object-events': probe(
    'anywhere',
    1,
    "what the namespace's other objects report",
    (s) => `kubectl get events ${inNamespace(s)} --sort-by=.lastTimestamp`,
  ),
  objects: probe('anywhere', 1, 'which objects exist', (s) => `kubectl get pvc,cm,secret,sa,svc ${inNamespace(s)}`),
  'container-log': probe(
    'anywhere',
    1,
    'the last words of the container',
    (s) =>
      `kubectl logs ${s.pod} ${inNamespace(s)}${s.container ? ` -c ${s.container}` : ' --all-containers'} --tail=50 --previous || kubectl logs ${s.pod} ${inNamespace(s)}${s.container ? ` -c ${s.container}` : ' --all-containers'} --tail=50`,
  ),
  'kubelet-log': probe('node', 2, 'what the kubelet says', () => "journalctl -u kubelet --since '30 min ago' --no-pager"),
  'containerd-log': probe('node', 2, 'what containerd says', () => "journalctl -u containerd --since '30 min ago' --no-pager"),
  'docker-log': probe(
    'node',
    2,
    'what Docker and containerd say',
    () => "journalctl -u docker -u containerd --since '1 hour ago' --no-pager",
  ),
  'crio-log': probe('node', 2, 'what CRI-O says', () => "journalctl -u crio --since '30 min ago' --no-pager"),
  'kernel-log': probe('node', 2, 'what the kernel says', () => "journalctl -k --since '1 hour ago' --no-pager"),
  'system-log': probe('node', 2, 'what systemd says about the daemons', () => "journalctl -b -p warning --since '1 hour ago' --no-pager"),
  'unit-state': probe('node', 2, 'whether the daemons run', () => 'systemctl status kubelet containerd docker crio --no-pager'),
  'kubelet-config': probe('node', 2, "the kubelet's own settings", () => 'cat /var/lib/kubelet/config.yaml'),
  'kubelet-health': probe(
    'anywhere',
    2,
    'whether the kubelet answers, and thinks itself well',
    (s) => `kubectl get --raw '/api/v1/nodes/${s.node}/proxy/healthz?verbose'`,
  ),
  'containerd-config': probe('node', 2, 'the configuration containerd really uses', () => 'containerd config dump'),
  'docker-config': probe('node', 2, "Docker's settings", () => 'docker info; cat /etc/docker/daemon.json'),
  'crio-config': probe('node', 2, "CRI-O's settings", () => 'crio config'),
  'runtime-state': probe('node', 2, 'what the runtime itself lists', () => 'crictl ps -a; crictl pods'),
  'cgroup-paths': probe(
    'node',
    3,
    'where the containers really sit in the cgroup tree',
    () => "find /sys/fs/cgroup -maxdepth 5 -name '*cri-containerd*' | head -20",
  ),
  'cgroup-version': probe('node', 2, 'cgroup v1 or v2', () => 'stat -fc %T /sys/fs/cgroup'),
  'host-os': probe('node', 2, 'which system the host runs', () => 'cat /etc/os-release; uname -r'),
  'host-versions': probe('node', 2, 'the versions in use', () => 'containerd --version; runc --version; kubelet --version'),
  'host-tools': probe('node', 2, 'which helpers the host has', () => 'command -v iscsiadm mount.nfs mount.cifs; lsmod | head -50'),
  'host-state': probe('node', 2, "the host's limits, disks, clock and certificates", () => 'podcause node --evidence'),
  'apparmor-state': probe('node', 2, 'which AppArmor profiles are loaded', () => 'aa-status'),
  'control-plane-log': probe(
    'node',
    3,
    'what the control plane says',
    () => 'crictl ps -a --name "kube-apiserver|etcd|kube-scheduler|kube-controller-manager"; crictl logs --tail=50 ID',
  ),
  'kubeadm-output': probe('node', 3, 'what kubeadm says', () => 'kubeadm init phase preflight'),
  prose: probe('anywhere', 5, 'what was seen', () => 'kubectl get pods -A -o wide'),
};

const BY_KIND: { readonly [K in FactKind]?: Probe } = {
  'kubelet.cgroup-driver': probe('node', 1, "the kubelet's cgroup driver", () => 'grep cgroupDriver /var/lib/kubelet/config.yaml'),
  'runtime.cgroup-driver': probe('node', 1, "the runtime's cgroup driver", () => 'containerd config dump | grep -n SystemdCgroup'),
  'container.runtime-state': probe('node', 2, 'what the runtime itself lists', () => 'crictl ps -a; docker ps -a; ctr -n moby tasks ls'),
  'kernel.oom': probe(
    'node',
    2,
    'whether the kernel killed for memory, and which cgroup',
    () => "journalctl -k | grep -iE 'oom|killed process'",
  ),
  'kernel.denial': probe(
    'node',
    2,
    'whether a security module refuses',
    () => 'journalctl -k | grep -iE \'apparmor="DENIED"|avc: +denied|type=1326\'',
  ),
  'host.sysctl': probe(
    'node',
    1,
    'the kernel settings pods depend on',
    () =>
      'sysctl net.ipv4.ip_forward net.bridge.bridge-nf-call-iptables fs.inotify.max_user_instances fs.inotify.max_user_watches kernel.pid_max vm.max_map_count',
  ),
  'host.filesystem': probe('node', 1, 'how full the disks are', () => 'df -hP; df -iP'),
  'host.certificate': probe(
    'node',
    2,
    'when the certificate runs out',
    () => 'openssl x509 -noout -subject -dates -checkend 0 -in /var/lib/kubelet/pki/kubelet-client-current.pem',
  ),
  'host.clock': probe('node', 1, "whether the host's clock is right", () => 'timedatectl'),
  'container.last-words': BY_CHANNEL['container-log'],
};

/** Objects are listed at the start; what lies under the API needs the host itself unless the kubelet hands it out. */
const LIVE: { readonly [C in Channel]?: LiveProbe } = {
  'container-log': 'container-log',
  'kubelet-config': 'kubelet-configz',
  'kubelet-health': 'kubelet-healthz',
  'kubelet-log': 'node-log',
  'containerd-log': 'node-log',
  'docker-log': 'node-log',
  'crio-log': 'node-log',
  'kernel-log': 'node-log',
  'system-log': 'node-log',
  objects: 'referred-objects',
};

/** How a live cluster answers for a channel; undefined when the lists already did. */
export function liveProbeFor(channel: Channel): LiveProbe | undefined {
  return LIVE[channel] ?? (BY_CHANNEL[channel].where === 'node' ? 'host' : undefined);
}

export function probeFor(kind: FactKind, channel: Channel | undefined): Probe {
  return BY_KIND[kind] ?? BY_CHANNEL[channel ?? 'prose'];
}

function probe(where: Probe['where'], cost: number, tells: string, command: Probe['command']): Probe {
  return { where, cost, tells, command };
}

/** What probes say of themselves, for whoever translates it. */
export function probeTexts(): string[] {
  return [...Object.values(BY_CHANNEL), ...Object.values(BY_KIND)].map(({ tells }) => tells);
}
