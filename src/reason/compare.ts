import type { FactBase } from '../facts/fact-base.ts';
import type { Citation } from '../model/citation.ts';
import { type EntityId, entityOf, UNKNOWN } from '../model/entity.ts';
import type { Compared } from '../model/report.ts';
import { PHRASES } from './phrases.ts';
import { isShownReady } from './ready-node.ts';
import type { Say } from './say.ts';
import type { Scope } from './scope.ts';

const MOST = 4;

interface Trait {
  readonly value: string;
  readonly cited: readonly Citation[];
}

/** What sets the sick apart from their healthy like: settings of a node, or the nodes that replicas run on. */
export function compareWithHealthy(
  place: EntityId,
  victims: readonly EntityId[],
  base: FactBase,
  scope: Scope,
  say: Say,
): readonly Compared[] {
  const node = entityOf(place).kind === 'Node' ? place : undefined;
  return [...(node === undefined ? [] : nodeDifferences(node, base, say)), ...replicasByNode(victims, base, scope, say)].slice(0, MOST);
}

function nodeDifferences(sick: EntityId, base: FactBase, say: Say): Compared[] {
  const own = traitsOf(sick, base);
  const others = healthyNodes(sick, base).map((node) => ({ name: entityOf(node).name, traits: traitsOf(node, base) }));
  const differences: Compared[] = [];
  for (const [what, { value, cited }] of own) {
    const known = others.filter(({ traits }) => traits.has(what));
    const first = known[0]?.traits.get(what);
    // Where the healthy ones differ among themselves, the difference explains nothing.
    if (!first || first.value === value || known.some(({ traits }) => traits.get(what)?.value !== first.value)) continue;
    differences.push({
      says: say(PHRASES.nodeDiffers, { what, own: value, other: first.value, node: known[0]?.name ?? '' }),
      cited: [...cited.slice(0, 1), ...first.cited.slice(0, 1)],
    });
  }
  return differences;
}

function healthyNodes(sick: EntityId, base: FactBase): EntityId[] {
  const nodes = new Set<EntityId>();
  for (const kind of ['node.info', 'kubelet.cgroup-driver', 'runtime.cgroup-driver', 'host.version'] as const) {
    for (const { about } of base.all(kind)) if (about !== sick && entityOf(about).name !== UNKNOWN) nodes.add(about);
  }
  const troubled = new Set(base.all('pod.symptom').map(({ about }) => base.topology.nodeOf(about)));
  return [...nodes].filter((node) => isShownReady(node, base) && !troubled.has(node));
}

/** What a node is and how it is set, by names a reader knows. */
function traitsOf(node: EntityId, base: FactBase): ReadonlyMap<string, Trait> {
  const traits = new Map<string, Trait>();
  const put = (what: string, value: string | number | undefined, cited: readonly Citation[]) => {
    if (value !== undefined && value !== '' && !traits.has(what)) traits.set(what, { value: String(value), cited });
  };
  for (const { driver, cited } of base.of('kubelet.cgroup-driver', node)) put('cgroupDriver', driver, cited);
  for (const { runtime, driver, cited } of base.of('runtime.cgroup-driver', node)) put(`${runtime} cgroup driver`, driver, cited);
  for (const { kubeletVersion, runtimeVersion, runtime, kernel, osImage, cited } of base.of('node.info', node)) {
    put('kubelet', kubeletVersion, cited);
    put(runtime ?? 'runtime', runtimeVersion, cited);
    put('kernel', kernel, cited);
    put('OS', osImage, cited);
  }
  for (const { component, version, cited } of base.of('host.version', node)) put(component, version, cited);
  for (const { version, cited } of base.of('host.cgroup-version', node)) put('cgroup', `v${version}`, cited);
  for (const { key, value, cited } of base.of('host.sysctl', node)) put(key, value, cited);
  for (const { key, value, cited } of base.of('kubelet.setting', node)) if (SHARED_SETTINGS.has(key)) put(key, value, cited);
  return traits;
}

/** Settings that are the same on all nodes of a well-kept cluster; names and addresses are not among them. */
const SHARED_SETTINGS: ReadonlySet<string> = new Set([
  'containerRuntimeEndpoint',
  'clusterDNS',
  'clusterDomain',
  'failSwapOn',
  'maxPods',
  'podPidsLimit',
  'cgroupRoot',
  'cgroupsPerQOS',
  'resolvConf',
  'serializeImagePulls',
  'staticPodPath',
]);

/** Replicas of one workload that fail on some nodes only point below the pod. */
function replicasByNode(victims: readonly EntityId[], base: FactBase, scope: Scope, say: Say): Compared[] {
  const pods = victims.filter((id) => entityOf(id).kind === 'Pod').slice(0, 200);
  const workloads = new Set(pods.map((pod) => base.topology.workloadOf(pod)));
  const only = workloads.size === 1 ? [...workloads][0] : undefined;
  if (only === undefined) return [];
  const bad = namesOf(pods, base);
  const well = scope.wellSiblings(only);
  const good = namesOf(well, base);
  if (bad.length === 0 || good.length === 0 || bad.length > 3 || bad.some((node) => good.includes(node))) return [];
  const cited = well.flatMap((pod) => base.of('pod.status', pod).flatMap((status) => status.cited)).slice(0, 2);
  return [{ says: say(PHRASES.replicasDiffer, { good: good.slice(0, 3).join(', '), bad: bad.join(', ') }), cited }];
}

function namesOf(pods: readonly EntityId[], base: FactBase): string[] {
  const nodes = pods.flatMap((pod) => base.topology.nodeOf(pod) ?? []).filter((node) => entityOf(node).name !== UNKNOWN);
  return [...new Set(nodes.map((node) => entityOf(node).name))];
}
