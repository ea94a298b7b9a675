import type { ClusterPort } from '../../collect/cluster/port.ts';
import type { Risk } from '../../model/cause.ts';
import { patchObject, tried } from './api.ts';
import type { ClusterStep, LiveObject, ObjectRef } from './cluster-plan.ts';
import { type Draft, drafted, type Editing } from './edit.ts';
import { fragmentOf } from './fragment.ts';
import { pointer, valueAt } from './json-pointer.ts';
import { isTerminating, recordsAt } from './meta.ts';
import { belongsTo } from './owners.ts';
import { rebased, sameAt } from './patch-object.ts';
import { nameOfRef } from './refs.ts';
import type { Workload } from './resolve.ts';
import { shown } from './values.ts';

export type PatchStep = Extract<ClusterStep, { readonly kind: 'patch' }>;

/** One object with all that is to be changed in it. */
export interface Target {
  readonly ref: ObjectRef;
  readonly object: LiveObject;
  /** Where its pod template is among what is changed. */
  workload?: Workload;
  readonly edits: Editing[];
}

export interface Planned {
  readonly step?: PatchStep;
  readonly refused: readonly string[];
  readonly notes: readonly string[];
}

export async function planPatch(port: ClusterPort, target: Target): Promise<Planned> {
  const { ref, object, edits } = target;
  const name = nameOfRef(ref);
  if (isTerminating(object)) return { refused: [`${name} is being deleted, so nothing of it is changed.`], notes: [] };
  const draft = drafted(object, edits);
  const notes = draft.already.map((line) => `${name}: ${line}.`);
  const refused = draft.refused.map((why) => `${name}: ${why}`);
  // Half of what belongs together may be worse than nothing.
  if (refused.length > 0 && draft.patch.length > 0) notes.push(`${name}: nothing of it is changed, since not all can be.`);
  if (refused.length > 0 || draft.patch.length === 0) return { refused, notes };
  return { step: await stepFor(port, target, draft), refused, notes };
}

async function stepFor(port: ClusterPort, target: Target, draft: Draft): Promise<PatchStep> {
  const { ref, object, workload } = target;
  let made: LiveObject | undefined;
  const dryRun = await tried(async () => {
    made = await patchObject(port, ref, { type: 'application/json-patch+json', body: draft.patch, dryRun: true });
  });
  const owner = belongsTo(object);
  return {
    kind: 'patch',
    object: ref,
    patch: draft.patch,
    reverse: made ? rebased(made, draft.reverse) : draft.reverse,
    fragment: fragmentOf(ref, { before: object, after: draft.after }, draft.places),
    says: saysOf(ref, draft),
    diff: draft.diff,
    risk: riskOf(workload, ref),
    undo: undoOf(ref, draft, workload),
    dryRun,
    notes: [...(made ? overruled(draft, made) : []), ...notesFor(ref, object)],
    ...(owner ? { owner } : {}),
  };
}

function saysOf(ref: ObjectRef, { labels }: Draft): string {
  if (ref.kind === 'Node') return `Let ${nameOfRef(ref)} take pods again (uncordon)`;
  return `Change ${nameOfRef(ref)}: ${labels.join('; ')}`;
}

function riskOf(workload: Workload | undefined, ref: ObjectRef): Risk {
  return workload || ref.kind === 'PersistentVolumeClaim' ? 'restarts-pods' : 'moves-pods';
}

function undoOf(ref: ObjectRef, { labels }: Draft, workload: Workload | undefined): string {
  if (ref.kind === 'PersistentVolumeClaim') return 'Cannot be undone: a claim cannot be made smaller again.';
  const back = labels.length === 1 ? 'The old value is put back' : 'The old values are put back';
  return `${back}, unless somebody else changed it since${workload ? '; the pods restart once more' : ''}.`;
}

/** Where defaults or admission make something else of what is asked for. */
function overruled({ places, after }: Draft, made: LiveObject): string[] {
  return places.flatMap((place) => {
    const wanted = valueAt(after, place);
    const got = valueAt(made, place);
    return sameAt(place, wanted, got)
      ? []
      : [`The server would make ${shown(got)} of it at ${pointer(place)}: a default, or a webhook that changes objects.`];
  });
}

function notesFor(ref: ObjectRef, object: LiveObject): string[] {
  if (ref.kind === 'ConfigMap') return ['Pods see it when they start; where it is mounted as files, about a minute later.'];
  if (ref.kind === 'PersistentVolumeClaim') return ['Some drivers grow the file system only when the pod starts anew.'];
  if (ref.kind !== 'Node') return [];
  const taints = recordsAt(object, ['spec', 'taints']).filter(({ key }) => key !== 'node.kubernetes.io/unschedulable');
  const isReady = recordsAt(object, ['status', 'conditions']).some(({ type, status }) => type === 'Ready' && status === 'True');
  return [
    ...(isReady ? [] : ['The node is not Ready, so it will get no pods yet.']),
    ...(taints.length > 0
      ? [`It also has taints: ${taints.map(({ key, effect }) => shown(`${String(key)}:${String(effect)}`)).join(', ')}.`]
      : []),
  ];
}
