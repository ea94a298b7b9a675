import { isFixId, journalEntry } from './encoded.ts';
import type { HostJournalEntry } from './host-state.ts';
import { shellText } from './shell/base.ts';
import { ENCODE, SHOW_JOURNAL } from './shell/told.ts';

const FIRST_LINE = 'podcause-journal 1';

/** A POSIX script that prints what `parseJournal` reads; it changes nothing. */
export function journalScript(): string {
  return shellText(String.raw`#!/bin/sh
# Tells which fixes the journal of this host holds. Reads only.
show() {
R=\${PODCAUSE_ROOT:-}
LC_ALL=C
export LC_ALL
has() { command -v "$1" >/dev/null 2>&1; }
${ENCODE}
printf '${FIRST_LINE}\n'
${SHOW_JOURNAL}
printf 'end\n'
}
show
`);
}

/** The newest last, as their names sort. */
export function parseJournal(text: string): readonly HostJournalEntry[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const from = lines.indexOf(FIRST_LINE);
  return from < 0 ? [] : lines.slice(from + 1).flatMap((line) => journalEntry(line.split(' ')) ?? []);
}

/** Runs the copy of itself that a fix left in the journal, with the arguments this script is given. */
export function storedScript(id: string, force: boolean): string {
  if (!isFixId(id)) throw new RangeError('a fix is named by small letters, digits and dashes');
  return shellText(String.raw`#!/bin/sh
kept=\${PODCAUSE_ROOT:-}/var/lib/podcause/fixes/${id}/run.sh
if [ ! -f "$kept" ]; then
  echo '@podcause end refused the journal of this host has no fix ${id}'
  exit 2
fi
${force ? '[ "$1" != undo ] || set -- undo force\n' : ''}exec /bin/sh "$kept" "$@"
`);
}
