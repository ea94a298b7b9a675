import { type Entity, type EntityId, entityOf, UNKNOWN } from '../model/entity.ts';
import { NAMELESS, PHRASES } from './phrases.ts';
import { inEnglish, type Say } from './say.ts';

/** A pod known only by an id is named by its beginning. */
function plain(entity: Entity, say: Say): string {
  if (entity.name === UNKNOWN) return say(NAMELESS[entity.kind]);
  const [scheme, id] = entity.name.split(':');
  if (id !== undefined && (scheme === 'uid' || scheme === 'cid' || scheme === 'sandbox'))
    return `${say(NAMELESS[entity.kind])} ${id.slice(0, 13)}`;
  return entity.name;
}

/** The entity for slots: an unknown name reads as words instead of a question mark. */
export function speakable(id: EntityId): Entity {
  const entity = entityOf(id);
  return { ...entity, name: plain(entity, inEnglish) };
}

export function podName(id: EntityId, say: Say = inEnglish): string {
  const entity = entityOf(id);
  const namespace = entity.namespace && entity.namespace !== UNKNOWN ? `${entity.namespace}/` : '';
  return `${namespace}${plain(entity, say)}`;
}

/** How a report names the place of a fault. */
export function placeName(id: EntityId, say: Say = inEnglish): string {
  const entity = entityOf(id);
  const nameless = entity.name === UNKNOWN;
  switch (entity.kind) {
    case 'Cluster':
      return say(PHRASES.cluster);
    case 'Node':
      return nameless ? say(PHRASES.node) : say(PHRASES.namedNode, { name: entity.name });
    case 'Namespace':
      return nameless ? say(PHRASES.namespace) : say(PHRASES.namedNamespace, { name: entity.name });
    case 'Pod':
      return nameless ? say(PHRASES.pod) : say(PHRASES.namedPod, { name: podName(id, say) });
    case 'Container':
      return containerName(entity, say);
    case 'WorkloadContainer': {
      const workload = entity.parent ? placeName(entity.parent, say) : '';
      return nameless ? workload : say(PHRASES.containerOf, { name: entity.name, owner: workload });
    }
    case 'Workload':
      if (nameless) return say(PHRASES.workload);
      if (entity.type === UNKNOWN) return say(PHRASES.namedWorkload, { name: podName(id, say) });
      return entity.type === 'Pod' ? say(PHRASES.namedPod, { name: podName(id, say) }) : `${entity.type} ${podName(id, say)}`;
    case 'Object':
      return `${entity.type} ${podName(id, say)}`;
  }
}

function containerName(entity: Entity, say: Say): string {
  const { parent } = entity;
  if (entity.name === UNKNOWN && parent !== undefined) return placeName(parent, say);
  const name = plain(entity, say);
  if (parent === undefined || entityOf(parent).name === UNKNOWN) return say(PHRASES.namedContainer, { name });
  return say(PHRASES.containerOf, { name, owner: say(PHRASES.namedPod, { name: podName(parent, say) }) });
}
