import { type Entity, type EntityId, entityOf, UNKNOWN } from '../model/entity.ts';

const NAMELESS = {
  Cluster: 'the cluster',
  Namespace: 'the namespace',
  Node: 'this node',
  Workload: 'the workload',
  WorkloadContainer: 'the container',
  Pod: 'the pod',
  Container: 'the container',
  Object: 'the object',
} as const;

/** A pod known only by an id is named by its beginning. */
function plain(entity: Entity): string {
  if (entity.name === UNKNOWN) return NAMELESS[entity.kind];
  const [scheme, id] = entity.name.split(':');
  if (id !== undefined && (scheme === 'uid' || scheme === 'cid' || scheme === 'sandbox'))
    return `${NAMELESS[entity.kind]} ${id.slice(0, 13)}`;
  return entity.name;
}

/** The entity for slots: an unknown name reads as words instead of a question mark. */
export function speakable(id: EntityId): Entity {
  const entity = entityOf(id);
  return { ...entity, name: plain(entity) };
}

export function podName(id: EntityId): string {
  const entity = entityOf(id);
  const namespace = entity.namespace && entity.namespace !== UNKNOWN ? `${entity.namespace}/` : '';
  return `${namespace}${plain(entity)}`;
}

/** How a report names the place of a fault. */
export function placeName(id: EntityId): string {
  const entity = entityOf(id);
  switch (entity.kind) {
    case 'Cluster':
      return 'the cluster';
    case 'Node':
      return entity.name === UNKNOWN ? 'this node' : `node ${entity.name}`;
    case 'Namespace':
      return entity.name === UNKNOWN ? 'the namespace' : `namespace ${entity.name}`;
    case 'Pod':
      return entity.name === UNKNOWN ? 'the pod' : `pod ${podName(id)}`;
    case 'Container':
      return entity.name === UNKNOWN && entity.parent !== undefined
        ? placeName(entity.parent)
        : `container ${plain(entity)}${inPod(entity)}`;
    case 'WorkloadContainer': {
      const workload = entity.parent ? placeName(entity.parent) : '';
      return entity.name === UNKNOWN ? workload : `container ${entity.name} of ${workload}`;
    }
    case 'Workload': {
      if (entity.name === UNKNOWN) return 'the workload';
      const type = entity.type === UNKNOWN ? 'workload' : entity.type === 'Pod' ? 'pod' : entity.type;
      return `${type} ${podName(id)}`;
    }
    case 'Object':
      return `${entity.type} ${podName(id)}`;
  }
}

function inPod(entity: Entity): string {
  if (entity.parent === undefined) return '';
  const name = podName(entity.parent);
  return name === 'the pod' ? '' : ` of pod ${name}`;
}

const SAFE_WORD = /^[\w.:/@%+=,-]+$/;

/** A value from the evidence as one harmless shell word; what is not known becomes a placeholder in capitals. */
export function shellWord(value: string | number): string {
  const text = String(value);
  const nameless = Object.values(NAMELESS).find((name) => name === text);
  if (nameless) return (nameless.split(' ')[1] ?? 'NAME').toUpperCase();
  // No object may be called so, and quoting would not keep a command from taking it for an option (`delete pod --all`).
  if (typeof value === 'string' && text.startsWith('-')) return 'NAME';
  return SAFE_WORD.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
