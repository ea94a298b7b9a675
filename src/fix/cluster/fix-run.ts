import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterError, type ClusterPort } from '../../collect/cluster/port.ts';
import type { ClusterOutcome, FixState, OnStep, RunOptions, StepProgress } from './cluster-plan.ts';
import type { Journal } from './journal.ts';
import type { JournalStep } from './journal-format.ts';
import { type Lock, takeLock } from './lock.ts';
import { plainLine } from './plain-line.ts';
import type { Patience } from './pod-restarts.ts';
import { LockLost, NotDone, Stopped } from './stopped.ts';

/** One run over the steps of a journal, forth or back. */
export class FixRun {
  readonly port: ClusterPort;
  readonly journal: Journal;
  readonly options: RunOptions;
  private readonly lock: Lock;
  private readonly onStep: OnStep;

  constructor(port: ClusterPort, journal: Journal, lock: Lock, onStep: OnStep, options: RunOptions) {
    this.port = port;
    this.journal = journal;
    this.lock = lock;
    this.onStep = onStep;
    this.options = options;
  }

  get steps(): readonly JournalStep[] {
    return this.journal.entry.steps;
  }

  /** Written down first, told then. */
  async mark(index: number, change: Pick<JournalStep, 'state'> & Partial<JournalStep>): Promise<void> {
    await this.journal.update({ steps: this.withStep(index, change) });
    await this.onStep(this.progress(index));
  }

  /** Steps in the order given; stops at the first that fails. */
  async through(order: readonly number[], each: (index: number) => Promise<void>, ending: FixState): Promise<ClusterOutcome> {
    for (const index of order) {
      try {
        await this.lock.renew();
        await each(index);
      } catch (error) {
        return this.stop(index, error);
      }
    }
    try {
      await this.journal.update({ state: ending });
      return this.outcome(ending);
    } catch (error) {
      return this.outcome('stopped', `everything is done, but the journal could not be closed: ${wordsOf(error)}`);
    }
  }

  /** Waits that keep the lock. */
  patience(): Patience {
    const { wait = sleep, now, patienceMilliseconds } = this.options;
    return {
      wait: async (milliseconds) => {
        await wait(milliseconds);
        await this.lock.renewIfDue();
      },
      ...(now ? { now } : {}),
      ...(patienceMilliseconds === undefined ? {} : { patienceMilliseconds }),
    };
  }

  outcome(state: ClusterOutcome['state'], why?: string): ClusterOutcome {
    const steps = this.steps.map((_, index) => this.progress(index));
    return { id: this.journal.entry.record.id, state, steps, ...(why === undefined ? {} : { why }) };
  }

  private async stop(index: number, error: unknown): Promise<ClusterOutcome> {
    const why = wordsOf(error);
    const before = this.steps[index]?.state ?? 'planned';
    const state = error instanceof NotDone ? 'planned' : before;
    const steps = this.withStep(index, { state, why });
    // Where not even this can be written, the journal still says what was begun, and that is enough.
    if (!(error instanceof LockLost)) await this.journal.update({ state: 'stopped', steps }).catch(() => undefined);
    const progress = { ...this.progress(index), state, why };
    await this.onStep(progress);
    const outcome = this.outcome('stopped', why);
    return { ...outcome, steps: outcome.steps.map((one) => (one.index === index ? progress : one)) };
  }

  private withStep(index: number, change: Partial<JournalStep>): readonly JournalStep[] {
    return this.steps.map((one, at) => {
      if (at !== index) return one;
      const { why, ...rest } = one;
      return { ...rest, ...change };
    });
  }

  private progress(index: number): StepProgress {
    const { state = 'planned', why, step } = this.steps[index] ?? {};
    return { index, of: this.steps.length, state, says: step?.says ?? '', ...(why === undefined ? {} : { why }) };
  }
}

/** Words of failures that are to be expected; defects of ours go on up. */
function wordsOf(error: unknown): string {
  if (error instanceof Stopped || error instanceof ClusterError) return plainLine(error.message, 1000);
  throw error;
}

/** Whatever fails before the first step leaves everything as it was. */
export async function refusing(
  id: string,
  steps: readonly StepProgress[],
  work: () => Promise<ClusterOutcome | string>,
): Promise<ClusterOutcome> {
  try {
    const done = await work();
    return typeof done === 'string' ? { id, state: 'refused', steps, why: done } : done;
  } catch (error) {
    return { id, state: 'refused', steps, why: wordsOf(error) };
  }
}

/** Words where the lock is not to be had. */
export async function underLock<T>(port: ClusterPort, options: RunOptions, work: (lock: Lock) => Promise<T>): Promise<T | string> {
  const lock = await takeLock(port, options);
  if ('why' in lock) return lock.why;
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}
