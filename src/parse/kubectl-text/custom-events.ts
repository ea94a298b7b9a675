import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { parseEventAge } from './ages.ts';
import { emitEvents, type Subject, UNKNOWN_POD } from './event-facts.ts';
import { podNamedIn } from './event-message.ts';
import type { EventRow } from './event-row.ts';
import { entityId, kindOf, splitName } from './kinds.ts';
import { hasWideCharacters, isBlank, isBoundary, isName, viewFrom } from './lines.ts';
import { type Scope, scopeOf } from './scope.ts';
import { type Cells, cutRow } from './table.ts';
import { gaps, type Header } from './table-header.ts';

const MESSAGE = /^(?:MESSAGE|MSG|NOTE|DESCRIPTION)$/;
const OBJECT = /^(?:OBJECT|OBJ|INVOLVED|INVOLVEDOBJECT|INVOLVED-OBJECT|NAME|POD|REGARDING)$/;
const TIME = /TIME|SEEN|LAST|FIRST|AGE|CREATED/;
const STAMP = /^(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S{0,12}|<none>|<nil>|(?:\d{1,9}[smhdwy]){1,4})$/;

/** A header of somebody's own columns: upper-case words with a reason and a message among them. */
function headerOf(line: string): Header | undefined {
  if (line.length > 500 || !/\bREASON\b/.test(line) || !/\b(?:MESSAGE|MSG|NOTE)\b/.test(line)) return undefined;
  const columns = gaps(line).map(({ text, start }) => ({ name: text, start }));
  if (columns.length < 3 || !columns.every(({ name }) => /^[A-Z][A-Z0-9_ .-]{0,40}$/.test(name))) return undefined;
  return columns.some(({ name }) => MESSAGE.test(name)) && columns.some(({ name }) => name === 'REASON')
    ? { columns, style: 'aligned' }
    : undefined;
}

function cellOf(cells: Cells, name: RegExp): string {
  for (const [column, value] of cells) if (name.test(column)) return value;
  return '';
}

function fits(cells: Cells): boolean {
  if (!/^[A-Za-z][\w.-]{0,127}$/.test(cells.get('REASON') ?? '')) return false;
  const type = cells.get('TYPE');
  if (type !== undefined && type !== 'Normal' && type !== 'Warning') return false;
  for (const [column, value] of cells) if (TIME.test(column) && !STAMP.test(value)) return false;
  return true;
}

/** The message is the last column in all but odd cases and may hold wide gaps of its own. */
function cut(header: Header, line: string): Cells | undefined {
  const last = header.columns.at(-1);
  if (last && MESSAGE.test(last.name)) {
    const before: Header = { ...header, columns: header.columns.slice(0, -1) };
    const head = line.length > last.start ? cutRow(before, line.slice(0, last.start), fits) : undefined;
    if (head && /\s$|^$/.test(line.slice(0, last.start).slice(-1))) return new Map([...head, [last.name, line.slice(last.start).trim()]]);
  }
  return cutRow(header, line, fits);
}

function rowOf(cells: Cells): EventRow {
  const type = cells.get('TYPE');
  const count = Number(/^\d{1,9}$/.exec(cells.get('COUNT') ?? '')?.[0] ?? 1);
  const age = cellOf(cells, TIME);
  return {
    ...(/^\d{4}-/.test(age) ? {} : parseEventAge(age)),
    count,
    type: type === 'Normal' || type === 'Warning' ? type : 'Unknown',
    reason: cells.get('REASON') ?? '',
    message: cellOf(cells, MESSAGE),
    messageColumn: 0,
  };
}

function subjectOf(row: EventRow, cells: Cells, scope: Scope): Subject {
  const namespace = cells.get('NAMESPACE') ?? cells.get('NS') ?? scope.namespace;
  const named = splitName(cellOf(cells, OBJECT));
  const kind = named.kind ?? kindOf(cells.get('KIND'));
  if (isName(named.name) && kind !== undefined) return { about: entityId(kind, namespace, named.name), kind };
  const pod = podNamedIn(row.reason, row.message, namespace)?.pod;
  if (pod !== undefined) return { about: pod, kind: 'Pod' };
  // Nearly all events that are worth a listing of one's own are a pod's.
  return { about: isName(named.name) ? entityId('Pod', namespace, named.name) : UNKNOWN_POD, kind: 'Pod' };
}

function read(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  if (context.channel !== undefined) return from;
  const view = viewFrom(lines, from);
  const header = headerOf(view.at(from));
  if (!header) return from;
  const scope = scopeOf(context);
  const events = [];
  let next = from + 1;
  for (; next < view.count; next++) {
    const line = view.at(next);
    if (isBlank(line) || isBoundary(line) || line.length > 8000 || (hasWideCharacters(line) && !/\s{2}/.test(line))) break;
    const cells = cut(header, line);
    if (!cells) break;
    const row = rowOf(cells);
    events.push({ row, subject: subjectOf(row, cells, scope), first: next, last: next });
  }
  if (events.length === 0) return from;
  emitEvents(events, lines, context, sink);
  return next;
}

/** `kubectl get events -o custom-columns=…` */
export const customEventsReader: BlockReader = { what: 'kubectl get events', read };
