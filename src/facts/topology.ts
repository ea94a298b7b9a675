import {
  CLUSTER,
  containerId,
  type EntityId,
  type EntityKind,
  entityOf,
  namespaceId,
  podId,
  THIS_NODE,
  UNKNOWN,
  workloadContainerId,
  workloadId,
} from '../model/entity.ts';
import type { Edge } from '../model/evidence.ts';
import type { Identity } from './identity.ts';

/** Who runs on, belongs to and contains whom; every answer is a look-up by key. */
export interface Topology {
  nodeOf(pod: EntityId): EntityId | undefined;
  workloadOf(pod: EntityId): EntityId;
  /** The entity of that kind above `id`, or `id` itself; `container` names one where a pod's fact speaks of it. */
  climb(id: EntityId, kind: EntityKind, container?: string): EntityId | undefined;
  /** As `climb`, but a pod whose node nobody named runs on the one unnamed (or only) node of the evidence. */
  placeOf(id: EntityId, kind: EntityKind, container?: string): EntityId | undefined;
}

// Kubernetes draws random name suffixes from these characters only (no vowels, no 0, 1, 3).
const HASH = '[bcdfghjklmnpqrstvwxz2456789]';
const REPLICA_SET_SUFFIX = new RegExp(`-${HASH}{6,10}$`);
const DEPLOYMENT_POD = new RegExp(`^(?<name>.+)-(?<set>${HASH}{6,10}|[a-f0-9]{8,10})-${HASH}{5}$`);
const RANDOM_POD = new RegExp(`^(?<name>.+)-${HASH}{5}$`);
const ORDINAL_POD = /^(?<name>.+)-\d{1,4}$/;

export function createTopology(edges: readonly Edge[], identity: Identity): Topology {
  const workloadsByName = new Map<string, EntityId>();
  const links = collectLinks(edges, identity, workloadsByName);

  function workloadOf(pod: EntityId): EntityId {
    const owner = links.get(pod)?.workload;
    if (owner !== undefined) return owner;
    const { namespace, name } = entityOf(pod);
    const guess = guessWorkload(name);
    const known = workloadsByName.get(`${namespace}/${guess.name}`);
    return known ?? workloadId(guess.type, namespace, guess.name);
  }

  function climb(id: EntityId, kind: EntityKind, container?: string): EntityId | undefined {
    if (kind === 'Cluster') return CLUSTER;
    const entity = entityOf(id);
    if (entity.kind === kind) return kind === 'Workload' ? aboveReplicaSet(id) : id;
    if (entity.kind === 'Container') return climbFromContainer(id, kind);
    if (entity.kind === 'Pod') return climbFromPod(id, kind, container);
    if (kind === 'Namespace' && entity.namespace) return namespaceId(entity.namespace);
    if (entity.kind === 'WorkloadContainer' && kind === 'Workload') return entity.parent;
    if (entity.kind === 'Workload' && kind === 'WorkloadContainer') return workloadContainerId(id, container ?? UNKNOWN);
    return undefined;
  }

  function climbFromContainer(id: EntityId, kind: EntityKind): EntityId | undefined {
    const { parent, name } = entityOf(id);
    return climbFromPod(parent ?? podId(undefined, UNKNOWN), kind, name);
  }

  function climbFromPod(pod: EntityId, kind: EntityKind, container = UNKNOWN): EntityId | undefined {
    switch (kind) {
      case 'Pod':
        return pod;
      case 'Container':
        return containerId(pod, container);
      case 'Node':
        return links.get(pod)?.node;
      case 'Namespace':
        return namespaceId(entityOf(pod).namespace);
      case 'Workload':
        return workloadOf(pod);
      case 'WorkloadContainer':
        return workloadContainerId(workloadOf(pod), container);
      default:
        return undefined;
    }
  }

  function placeOf(id: EntityId, kind: EntityKind, container?: string): EntityId | undefined {
    const above = climb(id, kind, container);
    if (above !== undefined || kind !== 'Node') return above;
    const { kind: own } = entityOf(id);
    return own === 'Pod' || own === 'Container' ? identity.resolve(THIS_NODE) : undefined;
  }

  return { nodeOf: (pod) => links.get(pod)?.node, workloadOf, climb, placeOf };
}

interface Links {
  node: EntityId | undefined;
  workload: EntityId | undefined;
}

/** Node and workload of each pod; the edges of one pod mostly come one after the other. */
function collectLinks(edges: readonly Edge[], identity: Identity, workloadsByName: Map<string, EntityId>): ReadonlyMap<EntityId, Links> {
  const all = new Map<EntityId, Links>();
  const above = new Map<EntityId, EntityId>();
  let pod: EntityId | undefined;
  let links: Links = { node: undefined, workload: undefined };
  for (const edge of edges) {
    if (edge.type === 'alias') continue;
    if (edge.pod !== pod) {
      pod = edge.pod;
      const id = identity.resolve(pod);
      links = all.get(id) ?? { node: undefined, workload: undefined };
      all.set(id, links);
    }
    if (edge.type === 'runs-on') {
      const node = identity.resolve(edge.node);
      // Where a pod is known to run, an unnamed host adds nothing.
      if (node !== THIS_NODE || links.node === undefined) links.node = node;
      continue;
    }
    let workload = above.get(edge.workload);
    if (workload === undefined) {
      workload = aboveReplicaSet(edge.workload);
      above.set(edge.workload, workload);
      const { namespace, name } = entityOf(workload);
      workloadsByName.set(`${namespace}/${name}`, workload);
    }
    links.workload = workload;
  }
  return all;
}

function aboveReplicaSet(workload: EntityId): EntityId {
  const { type, namespace, name } = entityOf(workload);
  if (type !== 'ReplicaSet') return workload;
  const above = name.replace(REPLICA_SET_SUFFIX, '');
  return above === name ? workload : workloadId('Deployment', namespace, above);
}

/** Without an owner in the evidence the name still tells: controllers append hashes and ordinals in fixed forms. */
function guessWorkload(pod: string): { type: string; name: string } {
  const deployment = DEPLOYMENT_POD.exec(pod)?.groups;
  if (deployment) return { type: 'Deployment', name: deployment['name'] ?? pod };
  const random = RANDOM_POD.exec(pod)?.groups;
  if (random) return { type: UNKNOWN, name: random['name'] ?? pod };
  const ordinal = ORDINAL_POD.exec(pod)?.groups;
  if (ordinal) return { type: 'StatefulSet', name: ordinal['name'] ?? pod };
  return { type: 'Pod', name: pod };
}
