import { CLUSTER, type EntityId, entityOf, UNKNOWN } from '../model/entity.ts';
import { type Text, text } from './messages.ts';

const ENTITY_ID = /^(?:Cluster|Namespace|Node|Workload|WorkloadContainer|Pod|Container|Object)\//;

/** A place as users name it. Takes an entity's id; words that are no id come back as they are. */
export function placeName(place: EntityId | string, say: Text = text): string {
  if (place === CLUSTER) return say('place.cluster');
  if (!ENTITY_ID.test(place)) return place;
  const entity = entityOf(place);
  const name = qualified(entity.namespace, entity.name);
  switch (entity.kind) {
    case 'Cluster':
      return say('place.cluster');
    case 'Node':
      return entity.name === UNKNOWN ? say('place.thisNode') : say('place.node', { name: entity.name });
    case 'Namespace':
      return say('place.namespace', { name: entity.name });
    case 'Pod':
      return say('place.pod', { name });
    case 'Container':
      return say('place.container', { name: entity.name, pod: parentName(entity.parent) });
    case 'Workload':
      return say('place.workload', { type: entity.type ?? '', name });
    case 'WorkloadContainer':
      return say('place.workloadContainer', { name: entity.name, workload: placeName(entity.parent ?? '', say) });
    case 'Object':
      return say('place.object', { type: entity.type ?? '', name });
  }
}

function qualified(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === UNKNOWN || namespace === '' ? name : `${namespace}/${name}`;
}

function parentName(parent: EntityId | undefined): string {
  if (parent === undefined || parent === '') return UNKNOWN;
  const pod = entityOf(parent);
  return qualified(pod.namespace, pod.name);
}

/** The bare name of a node a place stands for, if it is one that has a name. */
export function nodeNameOf(place: EntityId): string | undefined {
  if (!place.startsWith('Node/')) return undefined;
  const name = place.slice('Node/'.length);
  return name === UNKNOWN || name === '' ? undefined : name;
}
