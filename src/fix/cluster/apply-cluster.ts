import type { ClusterPort } from '../../collect/cluster/port.ts';
import type { ClusterOutcome, ClusterPlan, ClusterStep, FixRecord, OnStep, RunOptions, StepProgress } from './cluster-plan.ts';
import { FixRun, refusing, underLock } from './fix-run.ts';
import { forward } from './forward-step.ts';
import { createJournal, type Journal, readJournal } from './journal.ts';
import { isFixId, isOnlyNoted, type JournalEntry, plainRecord } from './journal-format.ts';
import { nameOfRef } from './refs.ts';
import { hasSecret } from './secret-patch.ts';
import { decodeStep } from './step-format.ts';

/** Does a plan step by step, each written down before it is done. Nothing is changed where it is refused. */
export async function applyCluster(
  port: ClusterPort,
  plan: ClusterPlan,
  record: FixRecord,
  onStep: OnStep,
  options: RunOptions,
): Promise<ClusterOutcome> {
  const planned = plan.steps.map(({ says }, index): StepProgress => ({ index, of: plan.steps.length, state: 'planned', says }));
  if (plan.steps.length === 0) return { id: record.id, state: 'done', steps: [] };
  return refusing(record.id, planned, async () => {
    const why = isFixId(record.id) ? firstRefusal(plan.steps, options) : 'this is no id of a fix';
    if (why !== undefined) return why;
    return underLock(port, options, async (lock) => {
      const journal = await begin(port, plan, record, options);
      if (typeof journal === 'string') return journal;
      const run = new FixRun(port, journal, lock, onStep, options);
      return run.through([...run.steps.keys()], (index) => forward(run, index), 'done');
    });
  });
}

async function begin(port: ClusterPort, plan: ClusterPlan, record: FixRecord, options: RunOptions): Promise<Journal | string> {
  const entry = newEntry(plan, record, options);
  const earlier = await readJournal(port, record.id);
  if (!earlier) return createJournal(port, entry);
  if (!isOnlyNoted(earlier.entry)) return `there is a journal of a fix ${record.id} already: resume or undo that one`;
  // Hosts were changed first, and left their marks.
  await earlier.update({ ...entry, hosts: earlier.entry.hosts });
  return earlier;
}

export function newEntry(plan: ClusterPlan, record: FixRecord, options: RunOptions): JournalEntry {
  const steps = plan.steps.flatMap((step) => {
    const kept = decodeStep(step);
    return kept ? [{ step: kept, state: 'planned' as const }] : [];
  });
  const at = new Date((options.now ?? Date.now)()).toISOString();
  return { record: plainRecord(record), state: 'begun', at, undoing: false, steps, hosts: [] };
}

/** What would stop it halfway stops it before it begins. */
export function firstRefusal(steps: readonly ClusterStep[], options: RunOptions): string | undefined {
  for (const step of steps) {
    const why = refusalOf(step, options);
    if (why !== undefined) return `${nameOfRef(step.object)}: ${why}`;
  }
  return undefined;
}

function refusalOf(step: ClusterStep, { despiteOwner }: RunOptions): string | undefined {
  const { owner, dryRun } = step;
  if (owner?.reverts === 'always-refused') return owner.belongs.join(' ');
  if ((owner?.reverts === 'at-once' || owner?.reverts === 'within-minutes') && despiteOwner !== true)
    return `it belongs to ${owner.what}, which would take the change back. ${owner.belongs.join(' ')}`;
  if (dryRun.outcome === 'forbidden') return `this is not allowed to you: ${dryRun.why}`;
  // A budget that refuses an eviction now may allow it in a minute.
  if (dryRun.outcome === 'refused' && step.kind !== 'restart-pod') return `the server would refuse it: ${dryRun.why}`;
  if (step.kind === 'patch' && hasSecret(step)) return 'it holds what looks like a secret, and no journal may have that; change it by hand';
  return decodeStep(step) ? undefined : 'this is nothing that podcause changes';
}
