import type { ClusterPort } from '../../collect/cluster/port.ts';
import type { ClusterChange } from '../../model/change.ts';
import { findObject, patchObject, tried, writeQuery } from './api.ts';
import type { ClusterStep, LiveObject, ObjectRef } from './cluster-plan.ts';
import { controllerLine, protectionOf, remainsIn, stillNeeded } from './finalizers.ts';
import { isTerminating, recordAt, textAt, textsAt, uidOf } from './meta.ts';
import { nameOfRef, objectPath, parseObject } from './refs.ts';
import type { Surroundings } from './surroundings.ts';
import { shown } from './values.ts';

type FinalizerStep = Extract<ClusterStep, { readonly kind: 'remove-finalizer' }>;
type Removal = Extract<ClusterChange, { readonly do: 'remove-finalizer' }>;

interface Held {
  readonly finalizer: string;
  readonly at: 'metadata' | 'spec';
}

function heldBy(object: LiveObject): Held[] {
  return [
    ...textsAt(object, ['metadata', 'finalizers']).map((finalizer) => ({ finalizer, at: 'metadata' as const })),
    ...textsAt(object, ['spec', 'finalizers']).map((finalizer) => ({ finalizer, at: 'spec' as const })),
  ];
}

/** Only of what is being deleted, only one, and never one that still does its work. */
export async function planRemoval(
  port: ClusterPort,
  change: Removal,
  around: Surroundings,
): Promise<FinalizerStep | { readonly why: string } | { readonly already: string }> {
  const ref = parseObject(change.object);
  if (!ref)
    return { why: `${shown(change.object)} is of a kind whose finalizers podcause does not take away; do it by hand: kubectl edit` };
  const object = await findObject(port, ref);
  if (!object) return { already: `${nameOfRef(ref)} is gone already` };
  if (!isTerminating(object)) return { why: `${nameOfRef(ref)} is not being deleted, so its finalizers hold nothing up` };
  const all = heldBy(object);
  if (all.length === 0) return { already: `${nameOfRef(ref)} has no finalizer any more` };
  const held =
    change.finalizer === undefined ? (all.length === 1 ? all[0] : undefined) : all.find(({ finalizer }) => finalizer === change.finalizer);
  if (!held) {
    const names = all.map(({ finalizer }) => shown(finalizer)).join(', ');
    if (change.finalizer !== undefined)
      return { already: `${nameOfRef(ref)} has no finalizer ${shown(change.finalizer)} any more (it has ${names})` };
    return { why: `${nameOfRef(ref)} has several finalizers (${names}); which one is stuck is not known` };
  }
  const needed = await stillNeeded(ref, object, held.finalizer, around);
  return needed === undefined ? stepFor(port, ref, object, held, around) : { why: needed };
}

async function stepFor(port: ClusterPort, ref: ObjectRef, object: LiveObject, held: Held, around: Surroundings): Promise<FinalizerStep> {
  const protection = protectionOf(held.finalizer);
  const rest = heldBy(object).filter((one) => one !== held && one.finalizer !== held.finalizer);
  return {
    kind: 'remove-finalizer',
    object: ref,
    uid: uidOf(object),
    ...held,
    says: `Remove finalizer ${shown(held.finalizer)} from ${nameOfRef(ref)}, which has been in deletion since ${shown(textAt(object, ['metadata', 'deletionTimestamp']))}`,
    diff: [`${held.at}.finalizers: - ${shown(held.finalizer)}`],
    risk: 'may-lose-data',
    undo: 'Cannot be undone: once the object is deleted, a finalizer cannot be put back.',
    dryRun: await tried(() => withoutFinalizer(port, ref, object, held, true)),
    notes: [
      `${shown(held.finalizer)} ${protection.says}.`,
      await controllerLine(protection, around),
      ...(ref.kind === 'Namespace' ? remainsIn(object).map((line) => `Left in it: ${line}`) : []),
      ...(rest.length > 0 ? [`It stays for ${rest.map(({ finalizer }) => shown(finalizer)).join(', ')}.`] : []),
    ],
  };
}

/** Done also where the object is gone, is another one by now, or lost the finalizer. */
export async function removeFinalizer(port: ClusterPort, { object: ref, uid, finalizer, at }: FinalizerStep): Promise<void> {
  const object = await findObject(port, ref);
  if (!object || uidOf(object) !== uid || !isTerminating(object)) return;
  const held = heldBy(object).find((one) => one.finalizer === finalizer && one.at === at);
  if (held) await withoutFinalizer(port, ref, object, held, false);
}

async function withoutFinalizer(
  port: ClusterPort,
  ref: ObjectRef,
  object: LiveObject,
  { finalizer, at }: Held,
  dryRun: boolean,
): Promise<void> {
  const before = textsAt(object, [at, 'finalizers']);
  const after = before.filter((one) => one !== finalizer);
  if (at === 'metadata') {
    const body = [
      { op: 'test', path: '/metadata/uid', value: uidOf(object) },
      { op: 'test', path: '/metadata/finalizers', value: before },
      { op: 'replace', path: '/metadata/finalizers', value: after },
    ];
    await patchObject(port, ref, { type: 'application/json-patch+json', body, dryRun });
    return;
  }
  // Those of a namespace's spec are changed through a door of their own; the version it carries refuses a stale copy.
  const body = { ...object, spec: { ...recordAt(object, ['spec']), finalizers: after } };
  await port.request({ method: 'PUT', path: `${objectPath(ref)}/finalize${writeQuery(dryRun)}`, body });
}
