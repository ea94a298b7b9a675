import { type Entity, entityOf, UNKNOWN } from '../model/entity.ts';

/** A byte count as Kubernetes writes it. */
export function bytes(count: number): string {
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti'];
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${Number.isInteger(value) ? value : value.toFixed(1)}${units[unit]}`;
}

/** Names of a place for commands and texts; what the evidence leaves open becomes a word to fill in. */
export function namesOf({ kind, type, name, namespace, parent }: Entity) {
  const above = kind === 'WorkloadContainer' && parent !== undefined ? entityOf(parent) : { type, name };
  const known = above.type !== undefined && above.type !== UNKNOWN ? above.type.toLowerCase() : undefined;
  const inside = namespace === undefined || namespace === UNKNOWN ? undefined : namespace;
  return {
    container: kind === 'WorkloadContainer' ? name : 'the container',
    namespace: inside ?? 'NAMESPACE',
    /** Where an object of the namespace is looked for, in words. */
    where: inside === undefined ? "the pod's namespace" : `namespace ${inside}`,
    /** As kubectl takes it, e.g. `deployment/web`. */
    target: known === undefined ? 'deployment/NAME' : `${known}/${/^[a-z0-9.-]{1,253}$/.test(above.name) ? above.name : 'NAME'}`,
  };
}

const OBJECT_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** An object of one of these kinds as changes name it, e.g. `Deployment/shop/web`; empty where it is another, or not known in full. */
export function objectOf({ type, name, namespace }: Pick<Entity, 'type' | 'name' | 'namespace'>, ...types: readonly string[]): string {
  const isKnown = type !== undefined && types.includes(type) && OBJECT_NAME.test(name) && OBJECT_NAME.test(namespace ?? '');
  return isKnown ? `${type}/${namespace}/${name}` : '';
}
