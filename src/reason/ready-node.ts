import type { FactBase } from '../facts/fact-base.ts';
import { type EntityId, entityOf } from '../model/entity.ts';

/** A node that says it is ready needs more than a hint to be called broken. */
export function isReadyNode(place: EntityId, base: FactBase): boolean {
  if (entityOf(place).kind !== 'Node' || base.of('node.symptom', place).length > 0) return false;
  return base.of('node.condition', place).some(({ type, status }) => type === 'Ready' && status === 'True');
}

/** Its conditions say so, or a listing does. */
export function isShownReady(node: EntityId, base: FactBase): boolean {
  if (isReadyNode(node, base)) return true;
  const told = base.of('node.condition', node).some(({ type }) => type === 'Ready') || base.of('node.symptom', node).length > 0;
  return !told && base.of('node.status', node).some(({ status }) => /^Ready(?:,|$)/.test(status));
}
