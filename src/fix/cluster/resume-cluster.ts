import type { ClusterPort } from '../../collect/cluster/port.ts';
import type { ClusterOutcome, OnStep, RunOptions } from './cluster-plan.ts';
import { FixRun } from './fix-run.ts';
import { forward } from './forward-step.ts';
import { isOnlyNoted } from './journal-format.ts';
import { withJournal } from './with-journal.ts';

/** Goes on where a run was cut off or stopped. */
export async function resumeCluster(port: ClusterPort, id: string, onStep: OnStep, options: RunOptions): Promise<ClusterOutcome> {
  return withJournal(port, id, options, async (journal, lock) => {
    const { state, undoing, steps, hosts } = journal.entry;
    if (state === 'undone') return `fix ${id} was undone`;
    if (undoing) return `the undo of fix ${id} was begun: go on with that`;
    const behind = hosts.find((host) => host.state !== 'done');
    if (steps.length > 0 && behind && isOnlyNoted(journal.entry))
      return `${behind.node} is ${behind.state}, and the cluster comes after it: podcause undo ${id} --apply closes this fix`;
    const run = new FixRun(port, journal, lock, onStep, options);
    if (state === 'done' || steps.length === 0) return run.outcome('done');
    return run.through([...steps.keys()], (index) => forward(run, index), 'done');
  });
}
