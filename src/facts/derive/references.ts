import { type EntityId, entityOf } from '../../model/entity.ts';
import type { Fact } from '../../model/facts.ts';
import type { FactBase } from '../fact-base.ts';
import { citedOf } from './cited.ts';

/** Compares what objects name or select with what there is: a misspelt name shows in no message. */
export function deriveReferences(base: FactBase): void {
  deriveDangling(base);
  deriveSelections(base);
}

function deriveDangling(base: FactBase): void {
  const refers = base.all('object.refers');
  if (refers.length === 0) return;
  const there = new Map<string, Set<string>>();
  for (const { about } of [...base.all('object.exists'), ...base.all('service.selector'), ...base.all('workload.replicas')]) {
    const entity = entityOf(about);
    const names = there.get(`${entity.type}|${entity.namespace}`) ?? new Set<string>();
    there.set(`${entity.type}|${entity.namespace}`, names.add(entity.name));
  }
  for (const refer of refers) {
    const { namespace } = entityOf(refer.about);
    const names = there.get(`${refer.type}|${namespace}`);
    // With none of its kind shown, nothing can be compared.
    if (!names || names.has(refer.name)) continue;
    base.add({
      kind: 'object.dangling',
      about: refer.about,
      cited: citedOf([refer]),
      type: refer.type,
      name: refer.name,
      others: [...names].slice(0, 5),
    });
  }
}

function deriveSelections(base: FactBase): void {
  const selectors = base.all('service.selector');
  const labelled = base.all('pod.labels');
  if (selectors.length === 0 || labelled.length === 0) return;
  for (const selector of selectors) {
    const { namespace } = entityOf(selector.about);
    const pods = labelled.filter(({ about }) => entityOf(about).namespace === namespace);
    if (pods.length === 0 || pods.some(({ labels }) => differing(selector.labels, labels).length === 0)) continue;
    const near = nearest(selector, pods);
    if (near === undefined) continue;
    base.add({
      kind: 'service.selects-nothing',
      about: selector.about,
      cited: citedOf([selector, near]),
      wants: differing(selector.labels, near.labels)
        .map((key) => `${key}=${selector.labels[key]}`)
        .join(', '),
      near: differing(selector.labels, near.labels)
        .map((key) => `${key}=${near.labels[key] ?? '(none)'}`)
        .join(', '),
      nearOwner: nameOf(near.about),
    });
  }
}

function differing(wanted: Readonly<Record<string, string>>, has: Readonly<Record<string, string>>): string[] {
  return Object.entries(wanted).flatMap(([key, value]) => (has[key] === value ? [] : [key]));
}

/** Pods that share a label, or whose labels hold the same value or name: of others nobody meant to select them. */
function nearest(selector: Fact<'service.selector'>, pods: readonly Fact<'pod.labels'>[]): Fact<'pod.labels'> | undefined {
  const own = entityOf(selector.about).name;
  const wanted = Object.entries(selector.labels);
  const kin = pods.filter(
    ({ about, labels }) =>
      wanted.some(([key, value]) => labels[key] === value || Object.values(labels).includes(value)) ||
      entityOf(about).name === own ||
      entityOf(about).name.startsWith(`${own}-`),
  );
  return [...kin].sort((a, b) => differing(selector.labels, a.labels).length - differing(selector.labels, b.labels).length)[0];
}

function nameOf(id: EntityId): string {
  const { type, kind, name } = entityOf(id);
  return `${type ?? kind} ${name}`;
}
