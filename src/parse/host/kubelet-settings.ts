import type { FactKinds } from '../../model/facts.ts';
import { cite, type Scope } from './scope.ts';

/** First-level keys of a KubeletConfiguration that are told; the ones no other configuration has may also start a fragment. */
export const OWN_KEYS: ReadonlySet<string> = new Set([
  'cgroupDriver',
  'containerRuntimeEndpoint',
  'failSwapOn',
  'clusterDNS',
  'evictionHard',
  'evictionSoft',
  'imageGCHighThresholdPercent',
  'imageGCLowThresholdPercent',
  'podPidsLimit',
  'systemReserved',
  'kubeReserved',
  'cpuManagerPolicy',
  'topologyManagerPolicy',
  'memoryManagerPolicy',
  'staticPodPath',
  'rotateCertificates',
  'serializeImagePulls',
  'registryPullQPS',
  'registryBurst',
  'failCgroupV1',
  'crashLoopBackOff',
  'shutdownGracePeriod',
  'shutdownGracePeriodCriticalPods',
  'containerLogMaxSize',
  'cgroupsPerQOS',
  'cgroupRoot',
  'kubeletCgroups',
  'runtimeRequestTimeout',
  'enforceNodeAllocatable',
  'systemReservedCgroup',
  'kubeReservedCgroup',
  'serverTLSBootstrap',
  'protectKernelDefaults',
  'imageMinimumGCAge',
  'volumeStatsAggPeriod',
  'nodeStatusUpdateFrequency',
  'memorySwap',
  'maxOpenFiles',
  'readOnlyPort',
  'imageServiceEndpoint',
  'seccompDefault',
]);
const SHARED_KEYS: ReadonlySet<string> = new Set([
  'clusterDomain',
  'resolvConf',
  'maxPods',
  'featureGates',
  'address',
  'port',
  'healthzPort',
  'tlsCertFile',
  'podCIDR',
  'providerID',
  'logging',
  'apiVersion',
  'kind',
  'authentication',
  'authorization',
  'cpuManagerReconcilePeriod',
  'evictionPressureTransitionPeriod',
  'fileCheckFrequency',
  'healthzBindAddress',
  'httpCheckFrequency',
  'nodeStatusReportFrequency',
  'streamingConnectionIdleTimeout',
  'syncFrequency',
  'metadata',
  'imageMaximumGCAge',
  'enableControllerAttachDetach',
  'hairpinMode',
  'evictionMinimumReclaim',
  'evictionSoftGracePeriod',
  'evictionMaxPodGracePeriod',
]);
const UNTOLD: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'authentication', 'authorization', 'logging', 'metadata']);

export function isKubeletKey(key: string): boolean {
  return OWN_KEYS.has(key) || SHARED_KEYS.has(key);
}

type Source = FactKinds['kubelet.cgroup-driver']['source'];

/** One setting of the kubelet, by its full key such as `evictionHard.memory.available`; true when it was worth telling. */
export function kubeletSetting(
  scope: Scope,
  path: readonly string[],
  value: string,
  source: Source & ('file' | 'flag' | 'configz'),
  first: number,
  last = first,
): boolean {
  const top = path[0] ?? '';
  if (!isKubeletKey(top) || UNTOLD.has(top) || value === '') return false;
  const cited = cite(scope, first, last);
  if (path.length === 1 && top === 'cgroupDriver' && (value === 'systemd' || value === 'cgroupfs')) {
    scope.sink.fact('kubelet.cgroup-driver', scope.node, { driver: value, source }, cited);
    return true;
  }
  scope.sink.fact('kubelet.setting', scope.node, { key: path.join('.'), value, source: source === 'flag' ? 'flag' : 'file' }, cited);
  return true;
}

/** A whole configuration that leaves the driver to the kubelet's own default. */
export function absentDriver(scope: Scope, first: number, last: number): void {
  scope.sink.fact('kubelet.setting', scope.node, { key: 'cgroupDriver', value: '', source: 'file' }, cite(scope, first, last));
}
