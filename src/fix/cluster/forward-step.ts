import { ClusterError } from '../../collect/cluster/port.ts';
import { findObject, isStatus } from './api.ts';
import { writeEvent } from './audit-events.ts';
import type { ClusterStep, LiveObject } from './cluster-plan.ts';
import { removeFinalizer } from './finalizer-removal.ts';
import type { FixRun } from './fix-run.ts';
import type { JournalStep } from './journal-format.ts';
import { textsAt, uidOf } from './meta.ts';
import { sendPatch, sightOf } from './patch-step.ts';
import { restartPod } from './pod-restarts.ts';
import { nameOfRef } from './refs.ts';
import { moveTo } from './rollout.ts';
import { NotDone, Stopped } from './stopped.ts';
import { untilGone } from './until-gone.ts';

/** Does one step, or finds that it was done before the run was cut off. */
export async function forward(run: FixRun, index: number): Promise<void> {
  const journalled = run.steps[index];
  if (!journalled || (journalled.state !== 'planned' && journalled.state !== 'begun')) return;
  const wasBegun = journalled.state === 'begun';
  const object = await findObject(run.port, journalled.step.object);
  const already = inEffect(journalled, object);
  if (already !== undefined) {
    await (wasBegun ? finish(run, index) : run.mark(index, { state: 'skipped', why: already }));
    return;
  }
  const uid = object ? uidOf(object) : '';
  if (!wasBegun) await run.mark(index, { state: 'begun', uid });
  const isOurs = await act(run, journalled.step, uid).catch((error: unknown) => {
    throw weighed(error, wasBegun);
  });
  if (isOurs || wasBegun) await finish(run, index);
  else await run.mark(index, { state: 'skipped', why: 'it was so already' });
}

/** The event comes before the journal's last word, so that a run that is cut off in between writes it when it goes on. */
async function finish(run: FixRun, index: number): Promise<void> {
  const note = await writeEvent(run, index, 'PodcauseFix');
  await run.mark(index, { state: 'done', ...(note === undefined ? {} : { why: note }) });
}

/** Words where there is nothing left to do; throws where the object is not what the plan was made for. */
function inEffect({ step, uid }: JournalStep, object: LiveObject | undefined): string | undefined {
  const name = nameOfRef(step.object);
  switch (step.kind) {
    case 'patch':
      return patchInEffect(sightOf(object, step, uid), name);
    case 'restart-pod':
      return object && uidOf(object) === step.uid ? undefined : `${name} is gone already`;
    case 'remove-finalizer':
      if (!object || uidOf(object) !== step.uid) return `${name} is gone already`;
      return textsAt(object, [step.at, 'finalizers']).includes(step.finalizer) ? undefined : `${name} has lost that finalizer already`;
    case 'rollout':
      if (!object) throw new Stopped(`${name} is not there any more`);
      if (uid !== undefined && uidOf(object) !== uid) throw new Stopped(`${name} is another one by now`);
      return undefined;
  }
}

function patchInEffect(sight: ReturnType<typeof sightOf>, name: string): string | undefined {
  switch (sight) {
    case 'old':
      return undefined;
    case 'new':
      return `${name} is so already`;
    case 'gone':
      throw new Stopped(`${name} is not there any more`);
    case 'replaced':
      throw new Stopped(`${name} was deleted and made anew since`);
    case 'changed':
      throw new Stopped(`${name} was changed by somebody else since it was planned`);
  }
}

/** A refusal is an answer: nothing was done. A line that was cut is none, and what an earlier run did is not known. */
function weighed(error: unknown, wasBegun: boolean): unknown {
  const isRefusal = error instanceof NotDone || (error instanceof ClusterError && isRefused(error.status));
  if (!isRefusal) return error;
  return wasBegun ? new Stopped(error.message) : new NotDone(error.message);
}

function isRefused(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500;
}

/** False where it turned out to be so already. */
async function act(run: FixRun, step: ClusterStep, uid: string): Promise<boolean> {
  switch (step.kind) {
    case 'patch': {
      const sent = await sendPatch(run.port, step.object, step.patch, uid);
      if (sent.outcome === 'changed') throw new NotDone(`${nameOfRef(step.object)} was changed by somebody else at this moment`);
      if (sent.outcome === 'refused') throw new NotDone(`the server refuses it: ${sent.why}`);
      return true;
    }
    case 'restart-pod':
      await restartPod(run.port, step, run.patience());
      await untilGone(run.port, step.object, step.uid, run.patience());
      return true;
    case 'remove-finalizer':
      await despiteConflicts(() => removeFinalizer(run.port, step));
      return true;
    case 'rollout': {
      const moved = await despiteConflicts(() => moveTo(run.port, step.object, step.from, step.to));
      if (typeof moved === 'object') throw new NotDone(moved.why);
      return moved === 'done';
    }
  }
}

const MOST_CONFLICTS = 3;

/** For what reads anew each time and sees by itself whether it may still go on. */
export async function despiteConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let conflicts = 1; ; conflicts++) {
    try {
      return await attempt();
    } catch (error) {
      if (conflicts === MOST_CONFLICTS || (!isStatus(error, 409) && !isStatus(error, 422))) throw error;
    }
  }
}
