import type { ClusterPort } from '../../collect/cluster/port.ts';
import { isStatus } from './api.ts';
import type { FixRecord, HostMark } from './cluster-plan.ts';
import { createJournal, readJournal } from './journal.ts';
import { isFixId, plainRecord } from './journal-format.ts';
import { isName } from './refs.ts';
import { Outdated, Stopped } from './stopped.ts';
import { shown } from './values.ts';

const MOST_ATTEMPTS = 10;

/** Leaves the names of hosts that are changed from afar in the cluster, so that an undo finds them. Hosts may come at the same time. */
export async function recordHosts(port: ClusterPort, record: FixRecord, nodes: readonly HostMark[]): Promise<void> {
  if (!isFixId(record.id)) throw new Stopped('this is no id of a fix');
  const odd = nodes.find(({ node }) => !isName(node));
  if (odd) throw new Stopped(`${shown(odd.node)} is no name of a node`);
  for (let attempt = 1; ; attempt++) {
    try {
      await recordOnce(port, record, nodes);
      return;
    } catch (error) {
      const isRace = isStatus(error, 409) || error instanceof Outdated;
      if (!isRace || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

async function recordOnce(port: ClusterPort, record: FixRecord, nodes: readonly HostMark[]): Promise<void> {
  const journal = await readJournal(port, record.id);
  if (journal) {
    const marks = new Map([...journal.entry.hosts, ...nodes].map((host) => [host.node, host]));
    await journal.update({ hosts: [...marks.values()] });
    return;
  }
  const at = new Date().toISOString();
  await createJournal(port, { record: plainRecord(record), state: 'begun', at, undoing: false, steps: [], hosts: nodes });
}
