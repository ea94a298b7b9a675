import type { FactBase } from '../facts/fact-base.ts';
import { type EntityId, entityOf } from '../model/entity.ts';
import type { Fact } from '../model/facts.ts';

/** A node that is well and as like the sick one as can be had: what differs between them is worth a look. */
export function twinOf(sick: EntityId, base: FactBase): string | undefined {
  const own = base.of('node.info', sick)[0];
  let best: { name: string; likeness: number } | undefined;
  for (const info of base.all('node.info')) {
    if (info.about === sick || !isWell(info.about, base)) continue;
    const likeness = own === undefined ? 0 : likenessOf(own, info);
    if (best === undefined || likeness > best.likeness) best = { name: entityOf(info.about).name, likeness };
  }
  return best?.name;
}

function isWell(node: EntityId, base: FactBase): boolean {
  if (base.of('node.symptom', node).length > 0) return false;
  return base.of('node.condition', node).every(({ type, status }) => (type === 'Ready' ? status === 'True' : status !== 'True'));
}

function likenessOf(a: Fact<'node.info'>, b: Fact<'node.info'>): number {
  const fields = ['osImage', 'kernel', 'architecture', 'kubeletVersion', 'runtimeVersion', 'runtime'] as const;
  return fields.filter((field) => a[field] !== undefined && a[field] === b[field]).length;
}
