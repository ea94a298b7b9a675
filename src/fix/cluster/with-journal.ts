import type { ClusterPort } from '../../collect/cluster/port.ts';
import type { ClusterOutcome, RunOptions } from './cluster-plan.ts';
import { refusing, underLock } from './fix-run.ts';
import { type Journal, readJournal } from './journal.ts';
import type { Lock } from './lock.ts';

/** The journal of a fix that is there, read under the lock. */
export function withJournal(
  port: ClusterPort,
  id: string,
  options: RunOptions,
  work: (journal: Journal, lock: Lock) => Promise<ClusterOutcome | string>,
): Promise<ClusterOutcome> {
  const missing = 'there is no journal of such a fix in the cluster';
  return refusing(id, [], async () => {
    // Looked for first, so that a wrong id leaves not even a lock behind.
    if (!(await readJournal(port, id))) return missing;
    return underLock(port, options, async (lock) => {
      const journal = await readJournal(port, id);
      return journal ? work(journal, lock) : missing;
    });
  });
}
