import { type EventRow, parseEventRow, parseOldEventRow } from './event-row.ts';
import { hasWideCharacters, indentOf, isBlank, isBoundary, isElision, isRule, type View } from './lines.ts';

export interface EventLines {
  readonly row: EventRow;
  readonly first: number;
  readonly last: number;
}

export interface EventBlock {
  readonly rows: readonly EventLines[];
  readonly next: number;
  readonly headed: boolean;
  readonly elided: boolean;
}

const HEADER = /^\s*Type\s+Reason\s+(?:Age|Time|Last ?Seen)\s+From\s+Message\s*$/;
const UNTYPED_HEADER = /^\s*Reason\s+Age\s+From\s+Message\s*$/;
const OLD_HEADER = /^\s*First ?Seen\s+Last ?Seen\s+Count\s+From\s+Sub[Oo]bjectPath\s+(?:Type\s+)?Reason\s+Message\s*$/;

/** How far ahead a row may be for the lines before it to count as the rest of a message. */
const AHEAD = 25;
const LONGEST_MESSAGE = 60;

type HeaderForm = 'typed' | 'untyped' | 'old' | 'none';

export function eventHeader(line: string): HeaderForm {
  if (HEADER.test(line)) return 'typed';
  if (UNTYPED_HEADER.test(line)) return 'untyped';
  return OLD_HEADER.test(line) ? 'old' : 'none';
}

function rowParser(form: HeaderForm): (line: string) => EventRow | undefined {
  if (form === 'none') {
    return (line) => {
      const row = parseEventRow(line) ?? parseOldEventRow(line);
      return row && row.type !== 'Unknown' && /^[A-Z]/.test(row.reason) ? row : undefined;
    };
  }
  return (line) => parseEventRow(line, form === 'untyped') ?? (form === 'old' ? parseOldEventRow(line) : undefined);
}

/** The next row within reach, counted without passing the end of the output. */
function rowAhead(view: View, from: number, parse: (line: string) => EventRow | undefined): boolean {
  for (let index = from; index < Math.min(view.count, from + AHEAD); index++) {
    const line = view.at(index);
    if (parse(line)) return true;
    if (isBoundary(line) || /^\s*(?:Name|Namespace):\s/.test(line) || eventHeader(line) !== 'none') return false;
  }
  return false;
}

function isOpen(message: string): boolean {
  if (/[:,=(["'\\]$/.test(message.trimEnd())) return true;
  return (message.split('"').length - 1) % 2 === 1;
}

/** Mount helpers and probes print several lines; programs rarely start them like a sentence of prose. */
function soundsLikeMachine(line: string): boolean {
  if (hasWideCharacters(line)) return false;
  return (
    /^\s*(?:Mounting (?:command|arguments):|Output:|mount(?:\.\w+)?:|Error:|stderr:|exit status)/.test(line) ||
    /^[a-z/[{(<].{0,200}:\s/.test(line)
  );
}

interface Open {
  readonly row: EventRow;
  readonly parts: string[];
  readonly first: number;
  last: number;
}

function continues(view: View, index: number, open: Open, parse: (line: string) => EventRow | undefined): boolean {
  const line = view.at(index);
  if (isBoundary(line) || open.parts.length >= LONGEST_MESSAGE || eventHeader(line) !== 'none') return false;
  if (isBlank(line)) return blankContinues(view, index, open, parse);
  if (indentOf(line) >= Math.max(20, open.row.messageColumn - 2)) return true;
  if (isOpen(open.parts.at(-1) ?? '') && !hasWideCharacters(line) && !/^\s*[A-Z][\w -]{1,40}:\s*$/.test(line)) return true;
  if (open.parts.length > 1 && indentOf(line) > 4) return true;
  return soundsLikeMachine(line) || rowAhead(view, index + 1, parse);
}

function blankContinues(view: View, index: number, open: Open, parse: (line: string) => EventRow | undefined): boolean {
  const next = view.at(index + 1);
  if (isBlank(next) || isBoundary(next)) return false;
  return (
    (open.parts.length > 1 && indentOf(next) > 4) ||
    parse(next) !== undefined ||
    (open.parts.length > 1 && rowAhead(view, index + 1, parse))
  );
}

function close(open: Open): EventLines {
  const wrapped = open.parts.slice(1).every((part) => indentOf(part) >= open.row.messageColumn - 2 && open.row.messageColumn > 20);
  let message = '';
  for (const part of open.parts) {
    const cut = message.endsWith('\\');
    if (cut) message = message.slice(0, -1).trimEnd();
    message += message === '' ? part.trim() : cut || wrapped ? ` ${part.trim()}` : `\n${part.trimEnd()}`;
  }
  return { row: { ...open.row, message: message.trim() }, first: open.first, last: open.last };
}

function skipHeader(view: View, from: number): { readonly form: HeaderForm; readonly start: number } {
  const form = eventHeader(view.at(from));
  if (form === 'none') return { form, start: from };
  return { form, start: isRule(view.at(from + 1)) ? from + 2 : from + 1 };
}

/** Reads event rows, with or without their header, and the further lines of long messages. */
export function readEventBlock(view: View, from: number): EventBlock {
  const { form, start } = skipHeader(view, from);
  const parse = rowParser(form);
  const rows: EventLines[] = [];
  let open: Open | undefined;
  let elided = false;
  let index = start;
  for (; index < view.count; index++) {
    const line = view.at(index);
    const row = parse(line);
    if (row) {
      if (open) rows.push(close(open));
      open = { row, parts: [row.message], first: index, last: index };
    } else if (isElision(line)) elided = true;
    else if (open && continues(view, index, open, parse)) {
      open.parts.push(line);
      if (!isBlank(line)) open.last = index;
    } else break;
  }
  if (open) rows.push(close(open));
  const last = rows.at(-1)?.last;
  const next = elided ? index : last === undefined ? start : last + 1;
  return { rows, next, headed: form !== 'none', elided };
}
