import type { ClusterPort } from '../../collect/cluster/port.ts';
import { backward } from './backward-step.ts';
import type { ClusterOutcome, OnStep, RunOptions } from './cluster-plan.ts';
import { FixRun } from './fix-run.ts';
import { withJournal } from './with-journal.ts';

/** Takes a fix back, the last step first; from wherever it, or an earlier undo of it, was cut off. */
export async function undoCluster(port: ClusterPort, id: string, onStep: OnStep, options: RunOptions): Promise<ClusterOutcome> {
  return withJournal(port, id, options, async (journal, lock) => {
    const run = new FixRun(port, journal, lock, onStep, options);
    if (journal.entry.state === 'undone' || run.steps.length === 0) return run.outcome('undone');
    if (!journal.entry.undoing) await journal.update({ undoing: true, state: 'stopped' });
    return run.through([...run.steps.keys()].reverse(), (index) => backward(run, index), 'undone');
  });
}
