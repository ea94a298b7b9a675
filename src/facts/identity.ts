import { type EntityId, entityOf, nodeId, podId, THIS_NODE, UNKNOWN } from '../model/entity.ts';
import type { Evidence } from '../model/evidence.ts';

/**
 * Many sources, one inventory: resolves the names parsers saw (an id, a pod without its namespace, a short host name)
 * to one entity each, wherever the evidence as a whole allows only one answer.
 */
export interface Identity {
  resolve(id: EntityId): EntityId;
}

export function createIdentity(evidence: Evidence): Identity {
  const names = collectNames(evidence);
  const memo = new Map<EntityId, EntityId>();

  function resolve(id: EntityId): EntityId {
    // A pod that is fully named is itself; a cluster has very many of them.
    if (id.startsWith('Pod/') && !id.includes(UNKNOWN)) return id;
    const known = memo.get(id);
    if (known !== undefined) return known;
    memo.set(id, id); // a cycle of aliases ends here
    const resolved = resolveOnce(id);
    memo.set(id, resolved);
    return resolved;
  }

  function resolveOnce(id: EntityId): EntityId {
    if (id.startsWith('Pod/')) return resolvePod(id);
    if (id.startsWith('Container/')) return resolveContainer(id);
    if (id.startsWith('Node/')) return resolveNode(id);
    if (id.startsWith('uid:') || id.startsWith('cid:') || id.startsWith('sandbox:')) return resolveAlias(id);
    return id;
  }

  function resolveAlias(id: EntityId): EntityId {
    const target = names.aliases.get(id) ?? names.aliasByPrefix(id);
    return target === undefined ? id : resolve(target);
  }

  function resolvePod(id: EntityId): EntityId {
    const { namespace, name } = entityOf(id);
    if (namespace !== UNKNOWN) return id;
    if (name === UNKNOWN) return names.onlyPod ?? id;
    const namespaces = names.podNamespaces.get(name);
    return namespaces?.size === 1 ? podId([...namespaces][0], name) : id;
  }

  function resolveContainer(id: EntityId): EntityId {
    const { name, parent } = entityOf(id);
    let pod = resolve(parent ?? podId(undefined, UNKNOWN));
    if (pod.startsWith('Pod/') && entityOf(pod).name === UNKNOWN) pod = names.podOfComponent(name) ?? pod;
    if (!pod.startsWith('Pod/')) return `Container/${pod}/${name}`;
    const only = name === UNKNOWN ? names.onlyContainer(pod) : undefined;
    return `Container/${pod.slice('Pod/'.length)}/${only ?? name}`;
  }

  function resolveNode(id: EntityId): EntityId {
    if (id === THIS_NODE) return names.onlyNode ?? id;
    return names.fullNodeName.get(id) ?? id;
  }

  return { resolve };
}

interface Names {
  readonly aliases: Map<EntityId, EntityId>;
  aliasByPrefix(id: EntityId): EntityId | undefined;
  /** Namespaces by pod name. Gathered when first asked for: evidence with full names never asks. */
  readonly podNamespaces: ReadonlyMap<string, ReadonlySet<string>>;
  /** The pod, when the evidence names exactly one. */
  readonly onlyPod: EntityId | undefined;
  podOfComponent(component: string): EntityId | undefined;
  onlyContainer(pod: EntityId): string | undefined;
  /** The node, when the evidence names exactly one. */
  readonly onlyNode: EntityId | undefined;
  readonly fullNodeName: Map<EntityId, EntityId>;
}

function collectNames(evidence: Evidence): Names {
  const aliases = new Map<EntityId, EntityId>();
  const nodes = new Set<EntityId>();
  for (const edge of evidence.edges) {
    if (edge.type === 'runs-on') nodes.add(edge.node);
    if (edge.type !== 'alias') continue;
    const known = aliases.get(edge.alias);
    // A fuller name is not given up for one with gaps (`Container/uid:…/?`).
    if (known === undefined || gaps(edge.entity) < gaps(known)) aliases.set(edge.alias, edge.entity);
  }
  for (const { about } of evidence.facts) if (about.startsWith('Node/')) nodes.add(about);
  nodes.delete(THIS_NODE);

  let pods: PodNames | undefined;
  const podNames = () => {
    pods ??= collectPodNames(evidence);
    return pods;
  };
  const fullNodeName = joinShortNames(nodes);
  const distinctNodes = new Set([...nodes].map((node) => fullNodeName.get(node) ?? node));
  return {
    aliases,
    aliasByPrefix: prefixLookup(aliases),
    get podNamespaces() {
      return podNames().namespaces;
    },
    get onlyPod() {
      return onlyPodOf(podNames().namespaces);
    },
    podOfComponent: (component) => podOfComponent(component, podNames().namespaces),
    onlyContainer(pod) {
      const containers = podNames().containers.get(pod);
      return containers?.size === 1 ? [...containers][0] : undefined;
    },
    onlyNode: distinctNodes.size === 1 ? [...distinctNodes][0] : undefined,
    fullNodeName,
  };
}

interface PodNames {
  readonly namespaces: Map<string, Set<string>>;
  readonly containers: Map<EntityId, Set<string>>;
}

function collectPodNames(evidence: Evidence): PodNames {
  const namespaces = new Map<string, Set<string>>();
  const containers = new Map<EntityId, Set<string>>();
  function see(id: EntityId): void {
    if (id.startsWith('Pod/')) {
      const { namespace = UNKNOWN, name } = entityOf(id);
      if (name === UNKNOWN) return;
      const known = namespaces.get(name) ?? new Set();
      if (namespace !== UNKNOWN) known.add(namespace);
      namespaces.set(name, known);
    } else if (id.startsWith('Container/')) {
      const { name, parent } = entityOf(id);
      if (!parent) return;
      see(parent);
      if (name === UNKNOWN) return;
      const known = containers.get(parent) ?? new Set();
      known.add(name);
      containers.set(parent, known);
    }
  }
  for (const edge of evidence.edges) see(edge.type === 'alias' ? edge.entity : edge.pod);
  for (const { about } of evidence.facts) see(about);
  return { namespaces, containers };
}

function gaps(id: EntityId): number {
  return id.split('/').filter((part) => part === UNKNOWN || part.includes(':')).length;
}

function onlyPodOf(podNamespaces: ReadonlyMap<string, ReadonlySet<string>>): EntityId | undefined {
  if (podNamespaces.size !== 1) return undefined;
  const [name, namespaces] = [...podNamespaces][0] ?? ['', new Set<string>()];
  return namespaces.size > 1 ? undefined : podId([...namespaces][0], name);
}

/** `ip-10-0-0-1` and `ip-10-0-0-1.ec2.internal` are one node, if only one full name fits. */
function joinShortNames(nodes: ReadonlySet<EntityId>): Map<EntityId, EntityId> {
  const fullByShort = new Map<string, EntityId[]>();
  for (const node of nodes) {
    const name = node.slice('Node/'.length);
    const dot = name.indexOf('.');
    if (dot <= 0) continue;
    const short = name.slice(0, dot);
    fullByShort.set(short, [...(fullByShort.get(short) ?? []), node]);
  }
  const joined = new Map<EntityId, EntityId>();
  for (const [short, full] of fullByShort) {
    const only = full.length === 1 ? full[0] : undefined;
    if (only !== undefined && nodes.has(nodeId(short))) joined.set(nodeId(short), only);
  }
  return joined;
}

/** `kube-proxy-8sxm4` and `coredns-6f6b679f8f-4zk9m`, not `kube-proxy-manager-x`. */
function isReplicaOf(component: string, pod: string): boolean {
  return /^(?:-[a-z0-9]{6,10})?-[a-z0-9]{5}$/.test(pod.slice(component.length));
}

/** A component name that a log shows (`kube-proxy`) belongs to the pods named after it; of several replicas the first stands for all. */
function podOfComponent(component: string, podNamespaces: ReadonlyMap<string, ReadonlySet<string>>): EntityId | undefined {
  if (component === UNKNOWN) return undefined;
  let first: EntityId | undefined;
  for (const [name, namespaces] of podNamespaces) {
    if (name !== component && !name.startsWith(`${component}-`)) continue;
    if (namespaces.size > 1) return undefined;
    if (first !== undefined && !isReplicaOf(component, name)) return undefined;
    first ??= podId([...namespaces][0], name);
  }
  return first;
}

/** Runtimes shorten ids to 12 or 13 characters; a prefix counts when exactly one known id begins with it. */
function prefixLookup(aliases: ReadonlyMap<EntityId, EntityId>): (id: EntityId) => EntityId | undefined {
  let sorted: EntityId[] | undefined;
  return (id) => {
    sorted ??= [...aliases.keys()].sort();
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? '') < id) low = middle + 1;
      else high = middle;
    }
    const next = sorted[low];
    if (next?.startsWith(id)) return sorted[low + 1]?.startsWith(id) ? undefined : aliases.get(next);
    const before = sorted[low - 1];
    const shortest = 'cid:'.length + 12;
    return before !== undefined && before.length >= shortest && id.startsWith(before) ? aliases.get(before) : undefined;
  };
}
