import type { Citation } from './citation.ts';
import type { EntityId, EntityKind } from './entity.ts';
import type { FactKinds } from './fact-kinds.ts';

export type * from './fact-kinds.ts';

export type FactKind = keyof FactKinds;

export interface FactHead<K extends FactKind = FactKind> {
  readonly kind: K;
  readonly about: EntityId;
  readonly cited: readonly Citation[];
  /** Epoch milliseconds, where the evidence gives an absolute time. */
  readonly when?: number;
  /** Somebody wrote it in their own words; it may support, never prove. */
  readonly hearsay?: boolean;
}

export type Fact<K extends FactKind = FactKind> = K extends FactKind ? FactHead<K> & Readonly<FactKinds[K]> : never;

export const ABOUT: { readonly [K in FactKind]: EntityKind | 'any' } = {
  'pod.status': 'Pod',
  'pod.condition': 'Pod',
  'pod.host-network': 'Pod',
  'pod.deleting': 'Pod',
  'pod.runtime-class': 'Pod',
  'pod.restart-policy': 'Pod',
  'pod.event': 'Pod',
  'pod.volume': 'Pod',
  'pod.scheduling': 'Pod',
  'container.spec': 'Container',
  'container.waiting': 'Container',
  'container.running': 'Container',
  'container.terminated': 'Container',
  'container.restarts': 'Container',
  'container.memory-limit': 'Container',
  'container.probe': 'Container',
  'container.security': 'Container',
  'container.last-words': 'Container',
  'container.cgroup-path': 'Container',
  'container.runtime-state': 'Container',
  'workload.replicas': 'Workload',
  'workload.condition': 'Workload',
  'object.exists': 'any',
  'object.event': 'any',
  'object.status': 'any',
  'node.condition': 'Node',
  'node.status': 'Node',
  'node.event': 'Node',
  'node.info': 'Node',
  'node.taint': 'Node',
  'kubelet.cgroup-driver': 'Node',
  'kubelet.setting': 'Node',
  'runtime.cgroup-driver': 'Node',
  'runtime.setting': 'Node',
  'runtime.config-file': 'Node',
  'host.os': 'Node',
  'host.version': 'Node',
  'host.cgroup-version': 'Node',
  'host.tool': 'Node',
  'host.sysctl': 'Node',
  'host.filesystem': 'Node',
  'host.certificate': 'Node',
  'host.lsm': 'Node',
  'host.clock': 'Node',
  'unit.state': 'Node',
  'kernel.oom': 'any',
  'kernel.denial': 'any',
  'log.signature': 'any',
  'log.error': 'any',
  'pod.symptom': 'Pod',
  'node.symptom': 'Node',
  'object.symptom': 'any',
  'pod.silent-stops': 'Pod',
  'pod.one-burst': 'Pod',
  'node.unrelated-restarts': 'Node',
  'container.hangs': 'Container',
  'container.restart-cadence': 'Container',
  'node.driver-follows-runtime': 'Node',
  'node.docker-runtime': 'Node',
  'pod.unschedulable': 'any',
  'pod.probe-failure': 'Pod',
  'pod.completed': 'Pod',
  'pod.history': 'Pod',
};
