import type { ClusterPort } from '../../collect/cluster/port.ts';
import { firstRefusal, newEntry } from './apply-cluster.ts';
import type { ClusterPlan, FixRecord, RunOptions } from './cluster-plan.ts';
import { createJournal, readJournal } from './journal.ts';
import { isFixId, isOnlyNoted } from './journal-format.ts';

/** Writes the steps down before the hosts, which come first, are changed: a run that is cut off between the two can go on. */
export async function noteAhead(port: ClusterPort, plan: ClusterPlan, record: FixRecord, options: RunOptions): Promise<void> {
  // What will be refused is told when its turn comes; the hosts do not wait for it.
  if (!isFixId(record.id) || plan.steps.length === 0 || firstRefusal(plan.steps, options) !== undefined) return;
  const entry = newEntry(plan, record, options);
  const journal = await readJournal(port, record.id);
  if (!journal) await createJournal(port, entry);
  else if (journal.entry.steps.length === 0) await journal.update({ ...entry, hosts: journal.entry.hosts });
}

/** The hosts were not changed, or put back: there is nothing in the cluster to go on with. */
export async function withdrawNote(port: ClusterPort, id: string): Promise<void> {
  const journal = await readJournal(port, id);
  if (journal && isOnlyNoted(journal.entry)) await journal.update({ steps: [] });
}
