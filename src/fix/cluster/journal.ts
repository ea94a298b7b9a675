import { ClusterError, type ClusterPort } from '../../collect/cluster/port.ts';
import { isStatus } from './api.ts';
import type { LiveObject, ObjectRef } from './cluster-plan.ts';
import { decodeEntry, encodeEntry, isFixId, type JournalEntry } from './journal-format.ts';
import { createOwn, OWN_NAMESPACE, readOwn, replaceOwn, versionOf } from './own-objects.ts';
import { Outdated, Stopped } from './stopped.ts';

export const JOURNALS = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespace: OWN_NAMESPACE } as const;
export const JOURNAL_LABELS = { 'app.kubernetes.io/component': 'fix-journal' };
const PREFIX = 'podcause-fix-';
/** A config map takes a mebibyte. */
const MOST_BYTES = 900_000;

function journalRef(id: string): ObjectRef {
  return { ...JOURNALS, name: `${PREFIX}${id}` };
}

export function idOfJournal(name: string): string | undefined {
  const id = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : '';
  return isFixId(id) ? id : undefined;
}

/** The record of one fix, as it was last written by us. */
export class Journal {
  entry: JournalEntry;
  private readonly port: ClusterPort;
  private version: string;

  constructor(port: ClusterPort, entry: JournalEntry, version: string) {
    this.port = port;
    this.entry = entry;
    this.version = version;
  }

  /** Durable when it returns; refused where somebody else wrote it since. */
  async update(change: Partial<JournalEntry>): Promise<void> {
    const entry = { ...this.entry, ...change };
    try {
      const saved = await replaceOwn(this.port, journalRef(entry.record.id), contentOf(entry), this.version);
      this.version = versionOf(saved);
      this.entry = entry;
    } catch (error) {
      if (isStatus(error, 409)) throw new Outdated('the journal of this fix was written by somebody else meanwhile');
      throw error;
    }
  }
}

export async function createJournal(port: ClusterPort, entry: JournalEntry): Promise<Journal> {
  const made = await createOwn(port, journalRef(entry.record.id), contentOf(entry));
  return new Journal(port, entry, versionOf(made));
}

/** Undefined where there is none. */
export async function readJournal(port: ClusterPort, id: string): Promise<Journal | undefined> {
  const found = isFixId(id) ? await readOwn(port, journalRef(id)) : undefined;
  if (!found) return undefined;
  const entry = decodeEntry(found.object);
  if (entry?.record.id !== id) throw new Stopped(`the journal of ${id} is not as podcause writes it, so it is not followed`);
  return new Journal(port, entry, versionOf(found.object));
}

function contentOf(entry: JournalEntry): LiveObject {
  const data = encodeEntry(entry);
  const bytes = Object.values(data).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MOST_BYTES) throw new ClusterError('invalid', `The journal of this fix would be too large (${bytes} bytes).`);
  return { labels: JOURNAL_LABELS, data };
}
