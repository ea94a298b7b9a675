import { findObject, isStatus } from './api.ts';
import { writeEvent } from './audit-events.ts';
import type { ClusterStep, LiveObject } from './cluster-plan.ts';
import type { FixRun } from './fix-run.ts';
import { despiteConflicts } from './forward-step.ts';
import type { JournalStep } from './journal-format.ts';
import { isTerminating, textsAt, uidOf } from './meta.ts';
import { sendPatch, sightOf } from './patch-step.ts';
import { nameOfRef } from './refs.ts';
import { moveTo } from './rollout.ts';
import { Stopped } from './stopped.ts';

type Step<K extends ClusterStep['kind']> = Extract<ClusterStep, { readonly kind: K }>;

/** What became of a step that was to be taken back. */
type Turned =
  /** `now`: by this very run. */
  { readonly state: 'undone'; readonly now: boolean } | { readonly state: 'kept'; readonly why: string };

const undone = (now: boolean): Turned => ({ state: 'undone', now });
const kept = (why: string): Turned => ({ state: 'kept', why });

/** Takes one step back, where it was done at all. */
export async function backward(run: FixRun, index: number): Promise<void> {
  const journalled = run.steps[index];
  if (!journalled || (journalled.state !== 'done' && journalled.state !== 'begun')) return;
  const object = await findObject(run.port, journalled.step.object);
  const turned = await turnBack(run, journalled, object);
  if (turned.state === 'kept') {
    await run.mark(index, turned);
    return;
  }
  // A step that was done and is back already was taken back by a run that was cut off before it could say so.
  const note = turned.now || journalled.state === 'done' ? await writeEvent(run, index, 'PodcauseUndo') : undefined;
  await run.mark(index, { state: 'undone', ...(note === undefined ? {} : { why: note }) });
}

async function turnBack(run: FixRun, { step, state, uid }: JournalStep, object: LiveObject | undefined): Promise<Turned> {
  switch (step.kind) {
    case 'patch':
      return patchBack(run, step, uid, object);
    case 'rollout':
      return rolloutBack(run, step, uid, object);
    case 'restart-pod': {
      const isStill = object !== undefined && uidOf(object) === step.uid && !isTerminating(object);
      return state === 'begun' && isStill
        ? undone(false)
        : kept('a pod that was deleted cannot be brought back; its controller makes new ones');
    }
    case 'remove-finalizer': {
      const isStill =
        object !== undefined && uidOf(object) === step.uid && textsAt(object, [step.at, 'finalizers']).includes(step.finalizer);
      return state === 'begun' && isStill
        ? undone(false)
        : kept('a finalizer that was removed from what is being deleted cannot be put back');
    }
  }
}

async function patchBack(run: FixRun, step: Step<'patch'>, uid: string | undefined, object: LiveObject | undefined): Promise<Turned> {
  const name = nameOfRef(step.object);
  switch (sightOf(object, step, uid)) {
    case 'old':
      return undone(false);
    case 'gone':
      return kept(`${name} is not there any more`);
    case 'replaced':
      return kept(`${name} was deleted and made anew since; the new one is left as it is`);
    case 'changed':
      throw new Stopped(`${name} was changed by somebody else since; it is left as it is`);
    case 'new': {
      const sent = await sendPatch(run.port, step.object, step.reverse, object ? uidOf(object) : '');
      if (sent.outcome === 'changed') throw new Stopped(`${name} was changed by somebody else at this moment`);
      return sent.outcome === 'refused' ? kept(`the server does not take it back: ${sent.why}`) : undone(true);
    }
  }
}

async function rolloutBack(run: FixRun, step: Step<'rollout'>, uid: string | undefined, object: LiveObject | undefined): Promise<Turned> {
  const name = nameOfRef(step.object);
  if (!object) return kept(`${name} is not there any more`);
  if (uid !== undefined && uidOf(object) !== uid) return kept(`${name} was deleted and made anew since; the new one is left as it is`);
  try {
    const moved = await despiteConflicts(() => moveTo(run.port, step.object, step.to, step.from));
    if (typeof moved === 'object') throw new Stopped(moved.why);
    return undone(moved === 'done');
  } catch (error) {
    if (isStatus(error, 404)) return kept(`the revision ${step.from} is not kept any more`);
    throw error;
  }
}
