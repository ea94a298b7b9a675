import type { LogLine } from './log-line.ts';

/** Go source files that only one program has; names that several share are left out. */
const PROGRAM_OF_SOURCE: ReadonlyMap<string, string> = sources({
  kubelet: `pod_workers kubelet kubelet_node_status kubelet_volumes kubelet_pods kubelet_network kubelet_network_linux kubelet_getters
    kubelet_resources scope generic reconciler reconciler_common reconciler_new reconstruct reconstruct_common reconstruct_new remote_runtime
    remote_image setters eviction_manager image_gc_manager image_manager pod_container_deletor pod_container_manager_linux
    qos_container_manager_linux container_manager_linux cgroup_manager_linux cgroup_v2_manager_linux cpu_manager memory_manager
    topology_manager policy_static policy_none state_mem desired_state_of_world_populator actual_state_of_world csi_plugin csi_mounter
    csi_attacher csi_drivers_store plugin_watcher plugin_manager prober prober_manager status_manager pod_startup_latency_tracker
    summary_sys_containers fs_resource_analyzer volume_manager kubelet_network docker_service docker_sandbox docker_container cni
    oom_watcher_linux nodeshutdown_manager_linux util_unix_linux container_log_manager
    active_deadline swap_util pod_sandbox_deletor certificate_store `,
  'kube-proxy':
    'server_linux server_others proxier conntrack ipset endpointslicecache endpointschangetracker servicechangetracker proxy_health',
  'kube-flannel': 'vxlan_network vxlan iptables_restore subnet ip_backend',
  'kube-scheduler': 'schedule_one scheduling_queue eventhandlers default_binder',
  'kube-controller-manager': `controllermanager node_lifecycle_controller replica_set garbagecollector attach_detach_controller graph_builder
    deployment_controller stateful_set resource_quota_controller pv_controller taint_eviction pod_gc gc_controller cidr_allocator range_allocator
    node_ipam_controller job_controller daemon_controller endpointslice_controller`,
  kubectl: 'memcache',
  'kube-apiserver': `cacher apf_controller available_controller remote_available_controller local_available_controller storage_factory
    default_storage_factory_builder crdregistration_controller apiapproval_controller`,
});

function sources(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const programs = new Map<string, string>();
  for (const [program, files] of Object.entries(table)) {
    for (const file of files.trim().split(/\s+/)) programs.set(`${file}.go`, program);
  }
  return programs;
}

/** Words that only one program says, for lines whose source file does not tell. */
const WORDS: readonly (readonly [words: string, program: string])[] = [
  ['failed to run Kubelet', 'kubelet'],
  ['Failed to run kubelet', 'kubelet'],
  ['Kubelet version', 'kubelet'],
  ['from runtime service', 'kubelet'],
  ['from image service', 'kubelet'],
  ['Starting kubelet', 'kubelet'],
  ['kubelet config file', 'kubelet'],
  ['kubelet flag', 'kubelet'],
  ['kubelet configuration', 'kubelet'],
  ['initial flags-based config', 'kubelet'],
  ['Failed to update lease', 'kubelet'],
  ['Failed to ensure lease exists', 'kubelet'],
  ['node lease', 'kubelet'],
  ['Could not open resolv conf file', 'kubelet'],
  ['starting kubernetes: preparing', 'k3s'],
  ['Waiting to retrieve agent configuration', 'k3s'],
  ['/var/lib/rancher/k3s/server/', 'k3s'],
  ['/var/lib/rancher/k3s/agent/', 'k3s'],
  ['/v1-k3s/', 'k3s'],
  ['/var/lib/rancher/rke2/server/', 'rke2'],
  ['/var/lib/rancher/rke2/agent/', 'rke2'],
  ['/v1-rke2/', 'rke2'],
  ['critical configuration value mismatch', 'k3s'],
  ['failed to get docker version', 'cri-dockerd'],
  ['kubelet cgroup driver', 'kubelet'],
  ['/etc/kubernetes/kubelet', 'kubelet'],
  ['snapshotter cannot be enabled', 'containerd'],
  ['kube-proxy', 'kube-proxy'],
  ['ProxyServer', 'kube-proxy'],
  ['Proxier', 'kube-proxy'],
  ['flannel', 'kube-flannel'],
  ['FLANNEL_', 'kube-flannel'],
  ['iscsiadm/open-iscsi', 'longhorn-manager'],
  ['longhorn-manager', 'longhorn-manager'],
  ['CoreDNS-', 'coredns'],
  ['/etc/coredns/Corefile', 'coredns'],
  ['could not fetch a Kubernetes version from the internet', 'kubeadm'],
  ['falling back to the local client version', 'kubeadm'],
];

const CONTAINERD_STARTS = [
  'RunPodSandbox',
  'StopPodSandbox',
  'RemovePodSandbox',
  'TearDown network for sandbox',
  'CreateContainer within sandbox',
  'StartContainer for',
  'StopContainer for',
  'RemoveContainer for',
  'starting containerd',
  'Start cri plugin',
  'starting cri plugin',
  'cleaning up dead shim',
  'cleaning up after shim',
  'shim disconnected',
  'TaskExit event',
  'received exit event',
  'loading plugin',
  'failed to load plugin io.containerd',
  'could not use snapshotter',
  'skip loading plugin',
  'PullImage ',
  // The runtime's own answer, as crictl hands it on.
  'pulling image',
  'ImageCreate event',
  'ImageUpdate event',
  'containerd successfully booted',
  'Failed to run CRI service',
  'stop pulling image',
  'Container to stop',
  'Kill container',
] as const;

const DOCKER_STARTS = [
  'Handler for ',
  'API listen on',
  'Docker daemon',
  'Loading containers',
  'containerd not running',
  'ignoring event',
  'Container failed to exit',
  'Daemon has completed initialization',
  'Failed to load listeners',
  '[graphdriver]',
] as const;

/** Its configuration is checked before it says who it is. */
const CRIO_STARTS = [
  'Starting CRI-O',
  'validating runtime config',
  'validating root config',
  'validating network config',
  'validating api config',
  'config validation: ',
  'Node configuration value for ',
  'Using conmon executable',
  'Conmon does support',
] as const;

/** k0s runs them all and says behind each line whose it is. */
const PARTS = /^(?:kubelet|containerd|etcd|kube-(?:apiserver|scheduler|controller-manager))$/;

/** The program that wrote a line, as far as the line itself shows it. */
export function programOf(line: LogLine): string | undefined {
  const source = line.source;
  const part = line.fields?.['component'] ?? /\scomponent=(?<part>[\w-]{4,40})\s*$/.exec(line.message.slice(-60))?.groups?.['part'];
  if (part !== undefined && PARTS.test(part)) return part;
  if (line.format === 'klog' || (line.format === 'json' && source?.includes('.go:'))) return programOfGo(line, source ?? '');
  if (line.format === 'logfmt' || line.format === 'logrus') return programOfLogfmt(line);
  if (line.format === 'bracket') return line.message.startsWith('plugin/') ? 'coredns' : programByWords(line.message);
  if (
    line.format === 'application' &&
    /^(?:felix|startup|confd|cni-config-monitor|tunnel-ip-allocator)\//.test(line.message.replace(/^\[?\d*\]? ?/, ''))
  ) {
    return 'calico-node';
  }
  return line.format === 'kernel' ? 'kernel' : undefined;
}

function programOfGo(line: LogLine, source: string): string | undefined {
  if (/^(?:etcdserver|etcdmain|embed|mvcc|rafthttp|raft|membership|wal|snap|v3rpc|etcdutl)\//.test(source)) return 'etcd';
  const file = source.slice(source.lastIndexOf('/') + 1, source.lastIndexOf(':'));
  if (file.startsWith('kuberuntime_')) return 'kubelet';
  const known = PROGRAM_OF_SOURCE.get(file) ?? programByWords(line.message);
  if (known) return known;
  const byError = programByWords(line.fields?.['err'] ?? '');
  // Errors quote what other programs said, except the one a program dies of.
  return line.message === 'command failed' || byError === 'kubelet' ? byError : undefined;
}

function programOfLogfmt(line: LogLine): string | undefined {
  const fields = line.fields ?? {};
  const namespace = fields['namespace'];
  if (fields['type']?.startsWith('io.containerd.') || namespace === 'k8s.io') return 'containerd';
  if (fields['module'] === 'libcontainerd' || namespace === 'moby') return 'dockerd';
  if (CONTAINERD_STARTS.some((start) => line.message.startsWith(start))) return 'containerd';
  if (DOCKER_STARTS.some((start) => line.message.startsWith(start))) return 'dockerd';
  if (fields['subsys'] !== undefined) return 'cilium';
  if (fields['controller']?.startsWith('longhorn-')) return 'longhorn-manager';
  const lower = line.message.toLowerCase();
  if (CRIO_STARTS.some((start) => lower.startsWith(start.toLowerCase()))) return 'crio';
  return programByWords(line.message);
}

/** By words that only one program says. */
export function programByWords(text: string): string | undefined {
  for (const [words, program] of WORDS) {
    if (text.includes(words)) return program;
  }
  return undefined;
}

/** The program most lines of a run point to: one log has one writer. */
export function voiceOf(sample: readonly LogLine[]): string | undefined {
  const votes = new Map<string, number>();
  let best: string | undefined;
  for (const line of sample) {
    const program = line.unit === undefined ? programOf(line) : undefined;
    if (program === undefined) continue;
    const count = (votes.get(program) ?? 0) + 1;
    votes.set(program, count);
    if (best === undefined || count > (votes.get(best) ?? 0)) best = program;
  }
  return best;
}
