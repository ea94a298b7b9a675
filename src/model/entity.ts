/** The things a fact can be about. `Host` faults belong to the Node they run on. */
export type EntityKind = 'Cluster' | 'Namespace' | 'Node' | 'Workload' | 'WorkloadContainer' | 'Pod' | 'Container' | 'Object';

/**
 * Names an entity in one string, e.g. `Pod/kube-system/kube-proxy-x7k2p`. An unknown part is `?`
 * (`Pod/?/web-0`, `Node/?`). Parsers may also name a thing by an id they saw (`uid:…`, `cid:…`, `sandbox:…`);
 * the fact base resolves both to the full name where the evidence allows it.
 */
export type EntityId = string;

export interface Entity<K extends EntityKind = EntityKind> {
  readonly id: EntityId;
  readonly kind: K;
  readonly name: string;
  readonly namespace?: string;
  /** For a container: its pod's id; for a workload container: its workload's id. */
  readonly parent?: EntityId;
  /** For `Workload` and `Object`: the Kubernetes kind, e.g. `DaemonSet`. */
  readonly type?: string;
}

export const UNKNOWN = '?';
export const CLUSTER: EntityId = 'Cluster/-';
/** The node that evidence without any host name came from. */
export const THIS_NODE: EntityId = `Node/${UNKNOWN}`;

export function nodeId(name: string | undefined): EntityId {
  return `Node/${name || UNKNOWN}`;
}

export function namespaceId(name: string | undefined): EntityId {
  return `Namespace/${name || UNKNOWN}`;
}

export function podId(namespace: string | undefined, name: string): EntityId {
  return `Pod/${namespace || UNKNOWN}/${name}`;
}

/** `pod` may be a pod id or an alias such as `uid:…`; a container of an unresolved alias keeps it as parent. */
export function containerId(pod: EntityId, name: string): EntityId {
  return pod.startsWith('Pod/') ? `Container/${pod.slice(4)}/${name}` : `Container/${pod}/${name}`;
}

export function workloadId(type: string, namespace: string | undefined, name: string): EntityId {
  return `Workload/${type}/${namespace || UNKNOWN}/${name}`;
}

export function workloadContainerId(workload: EntityId, name: string): EntityId {
  return `WorkloadContainer/${workload.slice('Workload/'.length)}/${name}`;
}

export function objectId(type: string, namespace: string | undefined, name: string): EntityId {
  return `Object/${type}/${namespace || UNKNOWN}/${name}`;
}

/** Pods are by far the most frequent, so theirs is split without a list of parts. */
function podEntity(id: EntityId): Entity<'Pod'> {
  const slash = id.indexOf('/', 4);
  if (slash < 0) return { id, kind: 'Pod', namespace: id.slice(4) || UNKNOWN, name: UNKNOWN };
  const end = id.indexOf('/', slash + 1);
  return { id, kind: 'Pod', namespace: id.slice(4, slash), name: end < 0 ? id.slice(slash + 1) : id.slice(slash + 1, end) };
}

/** Splits an id into its parts; aliases that were never resolved come back as a nameless pod or container. */
export function entityOf(id: EntityId): Entity {
  if (id.startsWith('Pod/')) return podEntity(id);
  const [kind, ...rest] = id.split('/');
  const at = (index: number) => rest[index] ?? UNKNOWN;
  switch (kind) {
    case 'Cluster':
      return { id, kind, name: 'cluster' };
    case 'Node':
      return { id, kind, name: rest.join('/') || UNKNOWN };
    case 'Namespace':
      return { id, kind, name: at(0) };
    case 'Container': {
      const name = rest.at(-1) ?? UNKNOWN;
      const pod = rest.slice(0, -1);
      const parent = pod.length === 2 ? `Pod/${pod.join('/')}` : pod.join('/');
      return { id, kind, namespace: pod.length === 2 ? at(0) : UNKNOWN, name, parent };
    }
    case 'Workload':
      return { id, kind, type: at(0), namespace: at(1), name: at(2) };
    case 'WorkloadContainer':
      return { id, kind, namespace: at(1), name: at(3), parent: `Workload/${at(0)}/${at(1)}/${at(2)}` };
    case 'Object':
      return { id, kind, type: at(0), namespace: at(1), name: rest.slice(2).join('/') || UNKNOWN };
    default:
      return { id, kind: id.startsWith('cid:') ? 'Container' : 'Pod', name: id };
  }
}
