import type { ClusterPort } from '../../collect/cluster/port.ts';
import { isStatus, listObjects } from './api.ts';
import type { FixListed, FixState, LiveObject } from './cluster-plan.ts';
import { idOfJournal, JOURNAL_LABELS, JOURNALS } from './journal.ts';
import { decodeEntry, type JournalEntry } from './journal-format.ts';
import { textAt } from './meta.ts';
import { plainLine } from './plain-line.ts';
import { nameOfRef } from './refs.ts';

/** Every fix that left a journal in the cluster, the newest first. */
export async function listFixes(port: ClusterPort): Promise<readonly FixListed[]> {
  const { apiVersion, plural, namespace } = JOURNALS;
  const selector = Object.entries(JOURNAL_LABELS)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  try {
    const journals = await listObjects(port, { apiVersion, plural, namespace }, selector);
    return journals.flatMap((journal) => listed(journal) ?? []).sort((one, other) => other.at.localeCompare(one.at));
  } catch (error) {
    if (isStatus(error, 404)) return [];
    throw error;
  }
}

/** One that cannot be read is still one that was made. */
function listed(journal: LiveObject): FixListed | undefined {
  const id = idOfJournal(textAt(journal, ['metadata', 'name']) ?? '');
  if (id === undefined) return undefined;
  const entry = decodeEntry(journal);
  if (entry?.record.id !== id) {
    const at = plainLine(textAt(journal, ['metadata', 'creationTimestamp']) ?? '', 40);
    return { id, title: 'its journal is not as podcause writes it', report: '', who: '', state: 'stopped', at, steps: [], hosts: [] };
  }
  const { record, at, steps, hosts } = entry;
  return {
    ...record,
    state: stateOf(entry),
    at,
    steps: steps.map(({ step, state }) => ({ says: step.says, object: nameOfRef(step.object), state })),
    hosts,
  };
}

/** Without steps in the cluster the hosts alone say how far it is. */
function stateOf({ state, steps, hosts }: JournalEntry): FixState {
  if (steps.length > 0) return state;
  if (hosts.some((host) => host.state === 'begun')) return 'begun';
  return hosts.some((host) => host.state === 'done') ? 'done' : 'undone';
}
