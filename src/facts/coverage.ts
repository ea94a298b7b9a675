import type { Channel, Coverage, Extent } from '../model/channel.ts';
import { CLUSTER, type EntityId, entityOf } from '../model/entity.ts';
import type { FactKind } from '../model/facts.ts';
import type { Identity } from './identity.ts';
import type { Topology } from './topology.ts';

/** What was looked at: tells "absent" from "never looked". */
export interface CoverageIndex {
  /** How far the channel was read about the entity or anything it belongs to. */
  extent(channel: Channel, about: EntityId): Extent | undefined;
  /** Where that was, as `doc:first-last`. */
  places(channel: Channel, about: EntityId): readonly string[];
  readonly all: readonly Coverage[];
}

const BETTER: readonly Extent[] = ['whole', 'excerpt', 'expired', 'denied', 'failed'];

export function createCoverage(coverage: readonly Coverage[], identity: Identity, topology: Topology): CoverageIndex {
  const index = new Map<string, Coverage[]>();
  const all = coverage.map((entry) => ({ ...entry, about: entry.about === '*' ? CLUSTER : identity.resolve(entry.about) }));
  for (const entry of all) {
    file(entry.about, entry);
    // Whoever read a container's log has read a log of its pod.
    const pod = entry.about.startsWith('Container/') ? entityOf(entry.about).parent : undefined;
    if (pod !== undefined) file(pod, entry);
  }

  function file(about: EntityId, entry: Coverage): void {
    const key = `${entry.channel}|${about}`;
    const entries = index.get(key);
    if (entries) entries.push(entry);
    else index.set(key, [entry]);
  }

  function entriesFor(channel: Channel, about: EntityId): Coverage[] {
    const found: Coverage[] = [];
    for (const id of lineage(about, topology)) found.push(...(index.get(`${channel}|${id}`) ?? []));
    return found;
  }

  return {
    all,
    extent(channel, about) {
      let best: Extent | undefined;
      for (const { extent } of entriesFor(channel, about)) {
        if (best === undefined || BETTER.indexOf(extent) < BETTER.indexOf(best)) best = extent;
      }
      return best;
    },
    places(channel, about) {
      const labels = entriesFor(channel, about)
        .filter(({ extent }) => extent === 'whole' || extent === 'excerpt')
        .map(({ doc, lines }) => (lines ? `${doc}:${lines[0]}-${lines[1]}` : doc));
      return [...new Set(labels)].slice(0, 4);
    },
  };
}

/** The entity itself and everything that contains it; what was read about those was read about it. */
function lineage(id: EntityId, topology: Topology): EntityId[] {
  const line: EntityId[] = [id];
  const entity = entityOf(id);
  if (entity.kind === 'Container' && entity.parent) line.push(entity.parent);
  for (const kind of ['Workload', 'Namespace', 'Node'] as const) {
    const above = topology.climb(id, kind);
    if (above !== undefined && above !== id) line.push(above);
  }
  line.push(CLUSTER);
  return line;
}

/**
 * The channels that would show a kind of fact, the surest first. An empty list closes the world: such a fact is derived
 * from whatever is there, so when it was not derived it is absent.
 */
export const CHANNELS_OF: { readonly [K in FactKind]: readonly Channel[] } = {
  'pod.status': ['pod-status'],
  'pod.condition': ['pod-status'],
  'pod.host-network': ['pod-spec'],
  'pod.deleting': ['pod-status'],
  'pod.runtime-class': ['pod-spec'],
  'pod.restart-policy': ['pod-spec'],
  'pod.event': ['pod-events'],
  'pod.usage': ['objects'],
  'pod.volume': ['pod-spec'],
  'pod.scheduling': ['pod-spec'],
  'container.spec': ['pod-spec'],
  'container.waiting': ['pod-spec'],
  'container.running': ['pod-spec'],
  'container.terminated': ['pod-spec'],
  'container.restarts': ['pod-spec'],
  'container.memory-limit': ['pod-spec'],
  'container.probe': ['pod-spec'],
  'container.security': ['pod-spec'],
  'container.last-words': ['container-log'],
  'container.cgroup-path': ['cgroup-paths'],
  'container.runtime-state': ['runtime-state'],
  'workload.replicas': ['workload'],
  'workload.condition': ['workload'],
  'object.exists': ['objects'],
  'object.event': ['object-events'],
  'object.refers': ['objects'],
  'service.selector': ['objects'],
  'pod.labels': ['workload', 'pod-spec'],
  'object.dangling': ['objects'],
  'service.selects-nothing': ['objects'],
  'object.status': ['objects'],
  'object.missing': ['objects'],
  'object.right': ['objects'],
  'node.condition': ['node-status'],
  'node.status': ['node-status'],
  'node.event': ['node-events'],
  'node.info': ['node-status'],
  'node.taint': ['node-status'],
  'node.usage': ['objects'],
  'host.gpu': ['host-state'],
  'kubelet.cgroup-driver': ['kubelet-config'],
  'kubelet.health': ['kubelet-health'],
  'kubelet.setting': ['kubelet-config'],
  'runtime.cgroup-driver': ['containerd-config', 'docker-config', 'crio-config'],
  'runtime.setting': ['containerd-config', 'docker-config', 'crio-config'],
  'runtime.config-file': ['containerd-config', 'docker-config', 'crio-config'],
  'host.os': ['host-os'],
  'host.version': ['host-versions'],
  'host.cgroup-version': ['cgroup-version'],
  'host.tool': ['host-tools'],
  'host.sysctl': ['host-state'],
  'host.filesystem': ['host-state'],
  'host.certificate': ['host-state'],
  'host.lsm': ['apparmor-state'],
  'host.clock': ['host-state'],
  'host.load': ['host-state'],
  'host.cni-config': ['host-state'],
  'host.resolver': ['host-state'],
  'pod.filesystem': ['host-state'],
  'host.swap': ['host-state'],
  'host.memory': ['host-state'],
  'host.interface': ['host-state'],
  'host.route': ['host-state'],
  'host.offload': ['host-state'],
  'host.firewall': ['host-state'],
  'host.service-rules': ['host-state'],
  'host.virtual-service': ['host-state'],
  'host.listener': ['host-state'],
  'host.mount': ['host-state'],
  'host.block-device': ['host-state'],
  'host.multipath': ['host-state'],
  'host.iscsi-session': ['host-state'],
  'host.export': ['host-state'],
  'host.limit': ['host-state'],
  'net.attempt': ['host-state'],
  'unit.state': ['unit-state'],
  'kernel.oom': ['kernel-log'],
  'kernel.denial': ['kernel-log'],
  'log.signature': [],
  'log.error': ['container-log'],
  'pod.symptom': ['pod-status'],
  'node.symptom': ['node-status'],
  'object.symptom': [],
  'pod.silent-stops': ['pod-events'],
  'pod.one-burst': ['pod-events'],
  'node.unrelated-restarts': ['pod-status'],
  'container.hangs': ['pod-spec'],
  'container.restart-cadence': ['pod-status'],
  'node.driver-follows-runtime': [],
  'node.docker-runtime': [],
  'pod.unschedulable': [],
  'pod.probe-failure': ['pod-events'],
  'pod.completed': ['pod-status'],
  'pod.history': ['pod-status'],
};

/** Kinds with one value per entity: when another value is known, this one is absent however little was read. */
export const SINGLE_VALUED: ReadonlySet<FactKind> = new Set<FactKind>([
  'kubelet.cgroup-driver',
  'kubelet.health',
  'host.os',
  'host.cgroup-version',
  'host.clock',
  'container.memory-limit',
  'container.cgroup-path',
  'pod.restart-policy',
  'node.status',
  'node.info',
]);
