import { CLUSTER, type EntityId, namespaceId, nodeId, podId, UNKNOWN } from '../../model/entity.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { AGE, EVENT_AGE, isAge, parseDuration, parseEventAge } from './ages.ts';
import { emitEvents, type Subject } from './event-facts.ts';
import { containerOfPath, podNamedIn } from './event-message.ts';
import { type EventRow, sourceOf } from './event-row.ts';
import { entityId, eventChannel, kindOf, splitName } from './kinds.ts';
import { hasWideCharacters, indentOf, isBlank, isBoundary, isElision, type View, viewFrom } from './lines.ts';
import { type Scope, scopeOf } from './scope.ts';
import { type Cells, cutRow } from './table.ts';
import { type Header, hasColumns, parseHeader } from './table-header.ts';

const NAMESPACE = String.raw`(?:(?<namespace>[a-z0-9][-a-z0-9]{0,62})\s+)?`;
const REASON = String.raw`(?<reason>[A-Za-z][\w.-]{0,127})`;
const ROW = new RegExp(
  String.raw`^\s*${NAMESPACE}(?<last>${EVENT_AGE})\s+(?<type>Normal|Warning)\s+${REASON}\s+(?<object>[A-Za-z][\w.]{0,120}(?:/\S{1,300})?)(?:\s+(?<rest>\S.*))?$`,
);
const OLD_ROW = new RegExp(
  String.raw`^\s*${NAMESPACE}(?<last>${AGE})\s+(?<first>${AGE})\s+(?<count>\d{1,9})\s+(?<name>[a-z0-9]\S{0,300})\s+(?<kind>[A-Z][A-Za-z]{1,60})\s+` +
    String.raw`(?:(?<path>[a-z]+\.\S{1,200})\s+)?(?<type>Normal|Warning)\s+${REASON}\s+(?<rest>\S.*)$`,
);
const OLD_REST = /^(?<source>\{[^}]{0,300}\}|[^\s,]{1,200}(?:, ?\S{1,253})?)\s+(?<message>.*)$/;
const WIDE_REST =
  /^(?:(?<path>[a-z]{1,20}\.\w{1,40}\{[^}\s]{1,80}\}|<none>)\s+)?(?<source>[^\s,]{1,200}(?:, ?\S{1,253})?)\s+(?<message>\S.*)$/;
const WIDE_TAIL = new RegExp(String.raw`\s(?<first>${AGE})\s+(?<count>\d{1,9})\s+(?<event>[A-Za-z0-9]\S{0,300})\s*$`);

interface ListedEvent {
  readonly row: EventRow;
  readonly subject: Subject;
}

function tidy(row: EventRow): EventRow {
  return { ...row, message: row.message.trim() };
}

interface Rest extends Partial<EventRow> {
  readonly message: string;
}

function fitsWide(cells: Cells): boolean {
  return (
    /^(?:Normal|Warning)$/.test(cells.get('TYPE') ?? '') && /^\d+$/.test(cells.get('COUNT') ?? '') && isAge(cells.get('FIRST SEEN') ?? '')
  );
}

/** Where columns stand in line, they also tell an empty source from a message's first word. */
function readWideCells(header: Header, line: string): Rest | undefined {
  const cells = header.style === 'aligned' ? cutRow(header, line, fitsWide) : undefined;
  if (!cells) return undefined;
  const container = containerOfPath(cells.get('SUBOBJECT'));
  const firstAgo = parseDuration(cells.get('FIRST SEEN') ?? '');
  return {
    message: cells.get('MESSAGE') ?? '',
    count: Number(cells.get('COUNT')),
    ...sourceOf(cells.get('SOURCE') ?? ''),
    ...(container !== undefined ? { container } : {}),
    ...(firstAgo !== undefined ? { firstAgo } : {}),
  };
}

/** Wide listings put source, first seen, count and the event's name around the message. */
function readWideRest(rest: string): Rest {
  const tail = WIDE_TAIL.exec(rest.slice(-800));
  const body = tail ? rest.slice(0, rest.length - tail[0].length) : rest;
  const groups = WIDE_REST.exec(body)?.groups;
  const container = containerOfPath(groups?.['path']);
  const firstAgo = parseDuration(tail?.groups?.['first'] ?? '');
  return {
    message: groups?.['message'] ?? body,
    ...sourceOf(groups?.['source'] ?? ''),
    ...(container !== undefined ? { container } : {}),
    ...(tail ? { count: Number(tail.groups?.['count'] ?? 1) } : {}),
    ...(firstAgo !== undefined ? { firstAgo } : {}),
  };
}

function subjectOf(object: string, namespace: string | undefined, row: EventRow): Subject {
  const { kind, printed, name } = splitName(object);
  if (printed !== undefined) return { about: entityId(kind ?? printed, namespace, name), kind: kind ?? printed };
  const bare = kindOf(name) ?? name;
  if (bare !== 'Pod') return { about: entityId(bare, namespace, UNKNOWN), kind: bare };
  return { about: podNamedIn(row.reason, row.message, namespace)?.pod ?? podId(namespace, UNKNOWN), kind: 'Pod' };
}

function parseRow(line: string, header: Header | undefined, scope: Scope): ListedEvent | undefined {
  const groups = ROW.exec(line)?.groups;
  if (!groups || (!header && !groups['object']?.includes('/'))) return undefined;
  const wide = header !== undefined && hasColumns(header, 'SOURCE') ? header : undefined;
  const age = parseEventAge(groups['last'] ?? '');
  const { firstAgo, ...last } = age;
  const rest = (groups['rest'] ?? '').trim();
  const row = tidy({
    ...(age.count > 1 ? age : last),
    type: groups['type'] === 'Warning' ? 'Warning' : 'Normal',
    reason: groups['reason'] ?? '',
    messageColumn: line.length - rest.length,
    ...(wide ? (readWideCells(wide, line) ?? readWideRest(rest)) : { message: rest }),
  });
  return { row, subject: subjectOf(groups['object'] ?? '', groups['namespace'] ?? scope.namespace, row) };
}

function parseOldRow(line: string, scope: Scope): ListedEvent | undefined {
  const groups = OLD_ROW.exec(line)?.groups;
  if (!groups) return undefined;
  const rest = OLD_REST.exec(groups['rest'] ?? '')?.groups;
  const lastAgo = parseDuration(groups['last'] ?? '');
  const firstAgo = parseDuration(groups['first'] ?? '');
  const container = containerOfPath(groups['path']);
  const row = tidy({
    type: groups['type'] === 'Warning' ? 'Warning' : 'Normal',
    reason: groups['reason'] ?? '',
    message: rest?.['message'] ?? groups['rest'] ?? '',
    count: Number(groups['count']),
    ...(lastAgo !== undefined ? { lastAgo } : {}),
    ...(firstAgo !== undefined ? { firstAgo } : {}),
    ...sourceOf(rest?.['source'] ?? ''),
    ...(container !== undefined ? { container } : {}),
    messageColumn: 0,
  });
  // These listings name the event, not the object: `web-1.14c9b5f2a3d1e0f7`.
  const name = (groups['name'] ?? '').replace(/\.[0-9a-f]{12,20}$/, '');
  const kind = groups['kind'] ?? '';
  return {
    row,
    subject: { about: kind === 'Node' ? nodeId(name) : entityId(kindOf(kind) ?? kind, groups['namespace'] ?? scope.namespace, name), kind },
  };
}

interface Placed extends ListedEvent {
  readonly first: number;
  readonly last: number;
}

/** Messages may go on below their row: until the next one, or a blank line, or prose. */
function readListed(
  view: View,
  start: number,
  parse: (line: string) => ListedEvent | undefined,
): { readonly events: Placed[]; readonly next: number; readonly elided: boolean } {
  const events: Placed[] = [];
  let elided = false;
  let next = start;
  for (let index = start; index < view.count; index++) {
    const line = view.at(index);
    const event = parse(line);
    const open = events.at(-1);
    if (event) events.push({ ...event, first: index, last: index });
    else if (isElision(line)) elided = true;
    else if (isBlank(line) ? parse(view.at(index + 1)) === undefined : isBoundary(line) || !open) break;
    else if (open && !isBlank(line)) {
      if (!continuesMessage(view, index, open, parse)) break;
      const message = `${open.row.message}\n${line.trim()}`;
      events[events.length - 1] = { ...open, row: { ...open.row, message }, last: index };
    }
    next = index + 1;
  }
  return { events, next, elided };
}

function continuesMessage(view: View, index: number, open: Placed, parse: (line: string) => ListedEvent | undefined): boolean {
  const line = view.at(index);
  if (hasWideCharacters(line) || index - open.first > 40 || parseHeader(line)) return false;
  if (/[:,=([]$/.test(open.row.message) || indentOf(line) > 8) return true;
  for (let ahead = index + 1; ahead < Math.min(view.count, index + 12); ahead++) {
    if (parse(view.at(ahead))) return true;
    if (isBlank(view.at(ahead)) || isBoundary(view.at(ahead))) return false;
  }
  return false;
}

function cover(
  events: readonly Placed[],
  lines: readonly [number, number],
  whole: boolean,
  all: boolean,
  context: Context,
  scope: Scope,
  sink: ReadingSink,
): void {
  if (!whole) {
    const subjects = new Map<EntityId, Subject>(events.map(({ subject }) => [subject.about, subject]));
    const extent = scope.command && !scope.command.piped && scope.command.verb !== 'describe' ? 'whole' : 'excerpt';
    for (const { about, kind } of subjects.values()) sink.cover({ channel: eventChannel(kind), about, extent, doc: context.doc, lines });
    return;
  }
  const about = all ? CLUSTER : namespaceId(scope.namespace);
  const channels =
    all || scope.namespace === 'default'
      ? (['pod-events', 'object-events', 'node-events'] as const)
      : (['pod-events', 'object-events'] as const);
  for (const channel of channels) {
    sink.cover({ channel, about: channel === 'node-events' ? CLUSTER : about, extent: 'whole', doc: context.doc, lines });
  }
}

function isEventsHeader(header: Header): boolean {
  return hasColumns(header, 'REASON', 'MESSAGE') && (hasColumns(header, 'LAST SEEN') || hasColumns(header, 'LASTSEEN'));
}

function readEventList(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const view = viewFrom(lines, from);
  const first = view.at(from);
  const header = parseHeader(first);
  if (header ? !isEventsHeader(header) : !/\s(?:Normal|Warning)\s/.test(first)) return from;
  const scope = scopeOf(context);
  const old = header !== undefined && hasColumns(header, 'COUNT', 'KIND');
  const parse = (line: string) =>
    old ? parseOldRow(line, scope) : (parseRow(line, header, scope) ?? (header ? undefined : parseOldRow(line, scope)));
  const { events, next, elided } = readListed(view, header ? from + 1 : from, parse);
  if (events.length === 0) return header ? from + 1 : from;
  emitEvents(events, lines, context, sink);
  const all = (header !== undefined && hasColumns(header, 'NAMESPACE')) || scope.command?.allNamespaces === true;
  const whole = header !== undefined && !elided && !selective(scope);
  cover(events, [from + 1, next], whole, all, context, scope, sink);
  return next;
}

/** `kubectl get events` names its resource, which narrows nothing; selectors and pipes do. */
function selective(scope: Scope): boolean {
  const command = scope.command;
  return (
    command !== undefined &&
    (command.piped || command.names.length > 0 || command.selected || (command.verb === 'events' && command.resources.length > 0))
  );
}

export const eventListReader: BlockReader = { what: 'kubectl get events', read: readEventList };
