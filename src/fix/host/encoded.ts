import type { HostJournalEntry } from './host-state.ts';

/** Words of what a host printed: `b:` before base64, `x:` before hexadecimal, so that no byte of them can end a line or a word. */
export function bytesOf(word: string): Uint8Array | undefined {
  const body = word.slice(2);
  if (word.startsWith('b:') && /^[A-Za-z0-9+/]*={0,2}$/.test(body)) return Buffer.from(body, 'base64');
  if (word.startsWith('x:') && /^[0-9a-f]*$/.test(body) && body.length % 2 === 0) return Buffer.from(body, 'hex');
  return undefined;
}

export function textOf(word: string): string {
  const bytes = bytesOf(word);
  return bytes === undefined ? '' : new TextDecoder().decode(bytes);
}

const STATES: readonly string[] = ['begun', 'done', 'undone', 'rolled-back'] satisfies HostJournalEntry['state'][];
const FIX_ID = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** Names the folder of a fix in the journal, and stands in scripts. */
export function isFixId(text: string): boolean {
  return FIX_ID.test(text);
}

/** `journal ID STATE AT TITLE`; a folder that no fix of ours has made is passed over. */
export function journalEntry(words: readonly string[]): HostJournalEntry | undefined {
  const [kind, first = '', state = '', at = '', title = ''] = words;
  const id = textOf(first);
  return kind === 'journal' && isFixId(id) && isState(state) ? { id, state, at: textOf(at), title: textOf(title) } : undefined;
}

function isState(word: string): word is HostJournalEntry['state'] {
  return STATES.includes(word);
}
