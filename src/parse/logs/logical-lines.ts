import { continues, isJournalMark, isProse, isSentence, type Trace, traceAfter, traceStartedBy } from './continuation.ts';
import type { LogLine } from './log-line.ts';
import { parseLogLine, plainLogLine } from './parse-line.ts';
import { type StackTrace, startsTrace, traceAt } from './trace.ts';
import { type WrappedTrace, wrappedTraceAt } from './wrapped-trace.ts';

/** A log line with the lines that belong to it: traces, wrapped text, values of several lines. */
export interface LogicalLine {
  readonly line: LogLine;
  /** Indexes of its first and last line. */
  readonly first: number;
  readonly last: number;
  readonly more: readonly string[];
}

interface Pending {
  line: LogLine;
  raw: string;
  readonly first: number;
  last: number;
  joined: number;
  readonly more: string[];
  trace: Trace;
}

const MOST_JOINED = { quote: 40, block: 400, partial: 64 } as const;
const MOST_MORE = 200;
const LONGEST_GAP = 8;
const FARTHEST = 50;
const SHORTEST_WRAPPED = 60;
const OTHER_OUTPUT =
  /^(?:NAME|NAMESPACE|LAST SEEN|CONTAINER|POD ID|Name:|#|```|\$ |● |\[[a-z][a-z-]{2,40}\] | {2,}(?:Normal|Warning) {2,})/;

/**
 * Puts lines together from `from` on. In text that is known to be a log everything counts up to where prose takes
 * over; elsewhere it stops at the first line that neither is a log line nor belongs to one.
 */
export function* logicalLines(lines: readonly string[], from: number, declared: boolean): Generator<LogicalLine> {
  let pending: Pending | undefined;
  let klogPid: number | undefined;
  for (let index = from; index < lines.length; index += 1) {
    const text = lines[index] ?? '';
    const blank = text.trim() === '';
    if (blank || isJournalMark(text)) {
      if (declared || goesOnAfterBlank(lines, index + 1)) continue;
      break;
    }
    const parsed = parseLogLine(text);
    const trace = traceLine(lines, index, parsed, pending);
    if (trace) {
      if (pending) yield finish(pending);
      pending = undefined;
      yield trace;
      index = trace.last;
      continue;
    }
    if (pending && joins(pending, text, parsed, index)) continue;
    if (!parsed && !declared) {
      if (!pending || !goesOnSoon(lines, index)) break;
      append(pending, text, index);
      continue;
    }
    if (!parsed && pending && pending.line.format !== 'plain' && isProse(text) && !goesOnLater(lines, index + 1)) break;
    if (parsed && !declared && parsed.format === 'klog' && parsed.unit === undefined) {
      // Programs in containers have process id 1, daemons of the host have not: two logs pasted one after the other.
      if (klogPid !== undefined && (klogPid === 1) !== (parsed.pid === 1)) break;
      klogPid = parsed.pid;
    }
    if (pending) yield finish(pending);
    const line = parsed ?? plainLogLine(text);
    pending = { line, raw: text, first: index, last: index, joined: 0, more: [], trace: traceStartedBy(line.message) };
  }
  if (pending) yield finish(pending);
}

/** A whole stack trace that starts here, unless it only goes on from the line before. */
function traceLine(
  lines: readonly string[],
  index: number,
  parsed: LogLine | undefined,
  pending: Pending | undefined,
): LogicalLine | undefined {
  if (pending?.line.open !== undefined) return undefined;
  const wrapped = parsed && wrappedTraceAt(lines, index, parsed);
  if (parsed && wrapped) return unwrapped(parsed, index, wrapped);
  if (parsed !== undefined && parsed.format !== 'crash') return undefined;
  if (pending && !standsAlone(pending) && parsed === undefined && continues(lines[index] ?? '', pending.trace)) return undefined;
  const trace = traceAt(lines, index);
  return trace && wholeTrace(lines, index, trace);
}

/** Below a line that tells no error, a trace is a matter of its own; else it says what the line above complains of. */
function standsAlone({ line }: Pending): boolean {
  return line.format !== 'plain' && (line.level === undefined || line.level === 'info');
}

/** One logical line of all the lines of a trace. */
function wholeTrace(lines: readonly string[], first: number, { end, level }: StackTrace): LogicalLine {
  const more = lines.slice(first + 1, end).filter((line) => line.trim() !== '');
  return { line: { format: 'crash', level, message: (lines[first] ?? '').trim() }, first, last: end - 1, more: shortened(more) };
}

function unwrapped(line: LogLine, first: number, { end, level, texts }: WrappedTrace): LogicalLine {
  const more = texts.slice(1).filter((text) => text.trim() !== '');
  return { line: { ...line, format: 'crash', level }, first, last: end - 1, more: shortened(more) };
}

function shortened(more: readonly string[]): readonly string[] {
  return more.length > MOST_MORE ? [...more.slice(0, MOST_MORE / 2), ...more.slice(-MOST_MORE / 2)] : more;
}

function goesOnLater(lines: readonly string[], from: number): boolean {
  for (let index = from; index < lines.length && index < from + FARTHEST; index += 1) {
    if (parseLogLine(lines[index] ?? '')) return true;
  }
  return false;
}

function goesOnAfterBlank(lines: readonly string[], from: number): boolean {
  for (let index = from; index < lines.length && index < from + 3; index += 1) {
    const text = lines[index] ?? '';
    if (text.trim() !== '') return isJournalMark(text) || parseLogLine(text) !== undefined || startsTrace(lines, index);
  }
  return false;
}

/** Whether a log line follows within a few lines, with nothing between that looks like other output or like prose. */
function goesOnSoon(lines: readonly string[], from: number): boolean {
  for (let index = from; index < lines.length && index < from + LONGEST_GAP; index += 1) {
    const text = lines[index] ?? '';
    if (text.trim() === '' || OTHER_OUTPUT.test(text) || isSentence(text)) return false;
    if (index > from && parseLogLine(text)) return true;
  }
  return false;
}

function joins(pending: Pending, text: string, parsed: LogLine | undefined, index: number): boolean {
  const { open } = pending.line;
  const tail = parsed === undefined ? text : bareTail(pending.line, parsed);
  if (tail === undefined) return false;
  if (open !== undefined && pending.joined < MOST_JOINED[open] && joinsOpen(pending, tail, parsed)) {
    pending.joined += 1;
    pending.last = index;
    return true;
  }
  if (!continues(tail, pending.trace)) return false;
  pending.trace = traceAfter(tail, pending.trace);
  append(pending, tail, index);
  return true;
}

/** Adds to a line whose quote, block or runtime-cut text is still open; it is read again as a whole once that closes. */
function joinsOpen(pending: Pending, tail: string, parsed: LogLine | undefined): boolean {
  const { open } = pending.line;
  if (open === 'quote') {
    if (parsed !== undefined || pending.raw.length < SHORTEST_WRAPPED || /(?:…|\.\.\.|>)$/.test(pending.raw)) return false;
    pending.raw += tail;
    if (tail.includes('"')) reread(pending);
    return true;
  }
  if (open === 'block') {
    const closes = tail.trimStart().startsWith('>');
    pending.raw += `\n${closes ? ` ${tail.trimStart()}` : tail}`;
    if (closes) reread(pending);
    return true;
  }
  if (parsed === undefined) return false;
  if (pending.joined === 0) pending.raw = wholeCriLine(pending.raw, pending.line);
  pending.raw += tail;
  if (parsed.open !== 'partial') reread(pending);
  return true;
}

/** The first part of a line the runtime cut, written as if it were not cut. */
function wholeCriLine(raw: string, line: LogLine): string {
  if (!raw.trimStart().startsWith('{')) return raw.replace(/ (stdout|stderr) P /, ' $1 F ');
  try {
    const { log } = JSON.parse(raw) as { readonly log?: unknown };
    return `${line.timeText ?? '1970-01-01T00:00:00Z'} stdout F ${String(log)}`;
  } catch {
    return raw;
  }
}

function reread(pending: Pending): void {
  pending.line = parseLogLine(pending.raw) ?? pending.line;
}

/** The text of a line that has the same writer as the one before and no format below the wrapper. */
function bareTail(before: LogLine, parsed: LogLine): string | undefined {
  const wrapperOnly =
    parsed.format === 'journal' || parsed.format === 'cri' || parsed.format === 'kubectl' || parsed.format === 'docker-json';
  if (!wrapperOnly || parsed.unit !== before.unit || parsed.host !== before.host || parsed.pod !== before.pod) return undefined;
  return parsed.message;
}

function append(pending: Pending, text: string, index: number): void {
  pending.last = index;
  if (pending.more.length < MOST_MORE) pending.more.push(text);
  else pending.more[MOST_MORE - 1] = text;
}

function finish(pending: Pending): LogicalLine {
  if (pending.joined > 0 && pending.line.open !== undefined) reread(pending);
  return { line: pending.line, first: pending.first, last: pending.last, more: pending.more };
}
