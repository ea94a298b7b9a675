import { type EntityId, entityOf, nodeId, podId, UNKNOWN } from '../../model/entity.ts';
import type { Edge } from '../../model/evidence.ts';
import type { EventPayload } from '../../model/facts.ts';
import type { Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { containerOf, isNodeEvent, killedBy, nodeNamedIn, otherKindOf, podNamedIn } from './event-message.ts';
import type { EventRow } from './event-row.ts';
import type { EventLines } from './event-rows.ts';
import { entityId, eventChannel } from './kinds.ts';
import { isName } from './lines.ts';

export interface Subject {
  readonly about: EntityId;
  /** Kubernetes kind of the object the events are about. */
  readonly kind: string;
}

export const UNKNOWN_POD: EntityId = podId(undefined, UNKNOWN);

function payloadOf(row: EventRow): EventPayload {
  const container = row.container ?? containerOf(row.message);
  const by = killedBy(row.reason, row.message);
  return {
    type: row.type,
    reason: row.reason,
    message: row.message,
    count: row.count,
    ...(row.lastAgo !== undefined ? { lastAgo: row.lastAgo } : {}),
    ...(row.firstAgo !== undefined ? { firstAgo: row.firstAgo } : {}),
    ...(row.from !== undefined ? { from: row.from } : {}),
    ...(container !== undefined ? { container } : {}),
    ...(by !== undefined ? { killedBy: by } : {}),
  };
}

/** Where a pod runs and which uid it has, by its events. */
function linksOf(row: EventRow, pod: EntityId): Edge[] {
  const named = podNamedIn(row.reason, row.message, entityOf(pod).namespace);
  const node = named?.node ?? (row.from === 'kubelet' ? row.host : undefined);
  const edges: Edge[] = [];
  if (node !== undefined && isName(node)) edges.push({ type: 'runs-on', pod, node: nodeId(node) });
  if (named?.uid !== undefined) edges.push({ type: 'alias', alias: `uid:${named.uid}`, entity: named.pod });
  return edges;
}

interface OwnedEvent extends EventLines {
  readonly subject: Subject;
}

/** All events of a block; what many of them show alike is linked once. */
export function emitEvents(events: readonly OwnedEvent[], lines: readonly string[], context: Context, sink: ReadingSink): void {
  const linked = new Set<string>();
  for (const event of events) {
    emitEvent(event, event.subject, lines, context, sink);
    if (event.subject.kind !== 'Pod') continue;
    for (const edge of linksOf(event.row, event.subject.about)) {
      const key = JSON.stringify(edge);
      if (!linked.has(key)) sink.edge(edge);
      linked.add(key);
    }
  }
}

function emitEvent(event: EventLines, subject: Subject, lines: readonly string[], context: Context, sink: ReadingSink): void {
  const { row, first, last } = event;
  const payload = payloadOf(row);
  const cited = citeLines(context.doc, lines, first, last);
  const { about, kind } = subject;
  sink.fact(kind === 'Pod' ? 'pod.event' : kind === 'Node' ? 'node.event' : 'object.event', about, payload, cited);
  if (row.message === '') return;
  sink.said({
    channel: eventChannel(kind),
    about,
    text: row.message,
    cited,
    count: row.count,
    ...(row.type === 'Unknown' ? {} : { level: row.type === 'Warning' ? ('warning' as const) : ('info' as const) }),
    ...(row.from !== undefined ? { component: row.from } : {}),
  });
}

/** The one pod the rows name; undefined when they name none or several. Some name it without its namespace. */
export function podNamedBy(rows: readonly EventLines[], namespace: string | undefined): EntityId | undefined {
  const named = new Set<EntityId>();
  for (const { row } of rows) {
    const found = podNamedIn(row.reason, row.message, namespace);
    if (found) named.add(found.pod);
  }
  const full = [...named].filter((pod) => entityOf(pod).namespace !== UNKNOWN);
  const sameName = new Set([...named].map((pod) => entityOf(pod).name)).size === 1;
  if (sameName && full.length === 1) return full[0];
  return named.size === 1 ? [...named][0] : undefined;
}

/** Whose event a row is that stands outside of any describe; the row's own words come first. */
export function subjectOfRow(row: EventRow, fallback: Subject | undefined, context: Context): Subject {
  const named = podNamedIn(row.reason, row.message, entityOf(fallback?.about ?? UNKNOWN_POD).namespace);
  if (named && fallback?.kind !== 'Node') return { about: named.pod, kind: 'Pod' };
  if (fallback) return fallback;
  if (isNodeEvent(row.reason, row.message)) {
    const node = nodeNamedIn(row.message) ?? row.host;
    return { about: node === undefined ? (context.node ?? nodeId(undefined)) : nodeId(node), kind: 'Node' };
  }
  const other = otherKindOf(row);
  if (other) return { about: entityId(other.kind, other.namespace ?? context.namespace, other.name ?? UNKNOWN), kind: other.kind };
  return { about: UNKNOWN_POD, kind: 'Pod' };
}
