import type { LogLine } from './log-line.ts';
import { parseLogLine } from './parse-line.ts';
import { type StackTrace, traceAt } from './trace.ts';

/** A trace of which every line carries the stamp of a runtime, of kubectl or of the journal. */
export interface WrappedTrace extends StackTrace {
  /** Its lines without what was put before them. */
  readonly texts: readonly string[];
}

const WRAPPERS: ReadonlySet<LogLine['format']> = new Set<LogLine['format']>(['cri', 'kubectl', 'docker-json', 'journal', 'application']);
const FARTHEST = 600;
const FIRST_LOOK = 3;
/** A place in a script is told by the lines around the error, some way below. */
const PLACE_LOOK = 9;

/** Told off by these alone are nearly all lines; what follows is looked at only below one that passes. */
const START =
  /^(?:panic: |fatal error: |goroutine \d|Exception in thread "|Unhandled [Ee]xception|Uncaught |Traceback \(| {2}File "|[\w$.]{3,200}(?:Error|Exception|Throwable)(?: \[?\(?\w{1,40}\)?\]?)?(?:: |\s*$)|Error: |node:internal\/|internal\/|\(node:\d{1,7}\) Unhandled|<--- Last|FATAL ERROR: |thread '|terminate called|malloc\(\)|free\(\)|double free|\*\*\* |(?:PHP )?(?:Fatal|Parse) error: |[\w./-]{1,200}\.rb:\d|(?:file:\/\/)?\/\S{1,200}:\d{1,7}$|(?:fail|crit): [A-Z][\w.]{1,200}\[|[\w./-]{1,100}: [\w./-]{1,200}:\d{1,7}: .{1,300}Assertion )/;

function isWrapped({ format, message }: LogLine, line: string): boolean {
  return WRAPPERS.has(format) || (format === 'crash' && !line.startsWith(message));
}

/** What the same writer said, as it stood before it was stamped. */
function tailOf(first: LogLine, line: string): string | undefined {
  const parsed = parseLogLine(line);
  if (!parsed || !isWrapped(parsed, line) || parsed.unit !== first.unit || parsed.host !== first.host || parsed.pod !== first.pod)
    return undefined;
  // A stamp of its own and a level make a new line of the program.
  return parsed.format === 'application' && parsed.level !== undefined ? undefined : parsed.message;
}

/** Adds lines of the same writer until there are enough; false when there are no more. */
function gather(lines: readonly string[], from: number, first: LogLine, texts: string[], wanted: number): boolean {
  while (texts.length < wanted) {
    const line = lines[from + texts.length];
    const tail = line === undefined ? undefined : tailOf(first, line);
    if (tail === undefined) return false;
    texts.push(tail);
  }
  return true;
}

export function wrappedTraceAt(lines: readonly string[], from: number, first: LogLine): WrappedTrace | undefined {
  const text = first.message;
  if (!START.test(text.length > 2000 ? text.slice(0, 2000) : text) || !isWrapped(first, lines[from] ?? '')) return undefined;
  const texts = [text];
  // Where a trace starts, more is looked at in steps; most lines that look like one are errors by themselves.
  for (let wanted = /^(?:node:|internal\/|file:|\/| {2}File )/.test(text) ? PLACE_LOOK : FIRST_LOOK; ; wanted *= 4) {
    const ended = !gather(lines, from, first, texts, Math.min(wanted, FARTHEST));
    const trace = traceAt(texts, 0);
    if (!trace) return undefined;
    if (trace.end < texts.length - 1 || ended || wanted >= FARTHEST)
      return trace.end > 1 ? { end: from + trace.end, level: trace.level, texts: texts.slice(0, trace.end) } : undefined;
  }
}
