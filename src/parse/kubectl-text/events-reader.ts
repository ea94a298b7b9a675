import type { Extent } from '../../model/channel.ts';
import { nodeId } from '../../model/entity.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { emitEvents, podNamedBy, type Subject, subjectOfRow } from './event-facts.ts';
import { parseEventRow, parseOldEventRow } from './event-row.ts';
import { type EventBlock, eventHeader, readEventBlock } from './event-rows.ts';
import { entityId, eventChannel } from './kinds.ts';
import { isBlank, isElision, type View, viewFrom } from './lines.ts';
import { podOf, type Scope, scopeOf } from './scope.ts';

/** What a pod's or node's list of events begins with when nothing was cut off above. */
const BEGINNINGS =
  /^(?:Scheduled|FailedScheduling|Pulling|Pulled|Starting|SuccessfulAttachVolume|SuccessfulCreate|ScalingReplicaSet|Provisioning)$/;

/** `whole` only when nothing speaks for rows having been left out. */
function extentOfEvents(block: EventBlock, scope: Scope): Extent {
  if (block.elided || scope.command?.piped) return 'excerpt';
  if (block.headed) return 'whole';
  return BEGINNINGS.test(block.rows[0]?.row.reason ?? '') ? 'whole' : 'excerpt';
}

/** Whose events these are, where command, file or the rows themselves say so for all of them. */
function subjectOfBlock(block: EventBlock, context: Context, scope: Scope): Subject | undefined {
  const name = scope.command?.names.length === 1 ? scope.command.names[0] : undefined;
  if (scope.kind !== undefined && scope.kind !== 'Pod' && scope.command?.verb === 'describe') {
    if (scope.kind === 'Node' && name === undefined) return undefined;
    return { about: scope.kind === 'Node' ? nodeId(name) : entityId(scope.kind, scope.namespace, name ?? '?'), kind: scope.kind };
  }
  const pod = podNamedBy(block.rows, scope.namespace) ?? podOf(context, scope);
  return pod === undefined ? undefined : { about: pod, kind: 'Pod' };
}

interface BlockOwner {
  readonly subject?: Subject;
  /** The events stand in the description of their object: nothing in them may say otherwise. */
  readonly certain: boolean;
}

/** Emits all rows and what was covered by them. */
export function emitBlock(
  block: EventBlock,
  owner: BlockOwner,
  lines: readonly string[],
  context: Context,
  scope: Scope,
  sink: ReadingSink,
): void {
  const first = block.rows[0]?.first;
  if (first === undefined) return;
  const events = block.rows.map((event) => {
    const subject = owner.certain && owner.subject ? owner.subject : subjectOfRow(event.row, owner.subject, context);
    return { ...event, subject };
  });
  emitEvents(events, lines, context, sink);
  const seen = new Map(events.map(({ subject }) => [subject.about, subject]));
  const extent = seen.size > 1 ? 'excerpt' : extentOfEvents(block, scope);
  for (const { about, kind } of seen.values()) {
    sink.cover({ channel: eventChannel(kind), about, extent, doc: context.doc, lines: [first + 1, block.next] });
  }
}

/** Where the rows start when `from` is the word `Events:`, their header or a row; undefined otherwise. */
function startOfRows(view: View, from: number): number | undefined {
  const line = view.at(from);
  if (/^\s*Events:\s*$/.test(line)) {
    const next = isBlank(view.at(from + 1)) ? from + 2 : from + 1;
    return isStart(view.at(next)) ? next : undefined;
  }
  return isStart(line) ? from : undefined;
}

function isStart(line: string): boolean {
  if (eventHeader(line) !== 'none') return true;
  if (!/Normal|Warning/.test(line)) return false;
  const row = parseEventRow(line) ?? parseOldEventRow(line);
  return row !== undefined && row.type !== 'Unknown' && /^[A-Z]/.test(row.reason);
}

function readEvents(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const view = viewFrom(lines, from);
  if (/^\s*Events:\s+<none>\s*$/.test(view.at(from))) return from + 1;
  const start = startOfRows(view, from);
  if (start === undefined) return from;
  const block = readEventBlock(view, start);
  if (block.rows.length === 0 && !block.headed) return from;
  const scope = scopeOf(context);
  const subject = subjectOfBlock(block, context, scope);
  const elided = block.elided || isElision(lines[from - 1] ?? '');
  emitBlock({ ...block, elided }, { ...(subject ? { subject } : {}), certain: false }, lines, context, scope, sink);
  return block.next;
}

export const eventRowsReader: BlockReader = { what: 'events of kubectl describe', read: readEvents };
