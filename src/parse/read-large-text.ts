import type { Document } from '../model/document.ts';
import type { LineSpec } from '../model/evidence.ts';
import type { BlockReader, Context, ReadingSink, Saying } from '../model/reading.ts';
import { clip } from './cite.ts';
import { underNode } from './layouts/node-logs.ts';
import { createLinks } from './logs/links.ts';
import { attribute, createMemory, factsOfLine, parseLogLine, plainLogLine, settle } from './logs/parse-line.ts';
import { textOf } from './logs/say.ts';
import type { EvidenceSink, Said } from './scan/evidence-sink.ts';
import { scanLargeText } from './scan/large.ts';
import { createScanner } from './scan/scanner.ts';
import { readText, shifted } from './segment.ts';
import { cleanLine } from './text/clean.ts';
import { redactLine } from './text/redact.ts';

/** Lines that carry facts of their own; in a large log only these and the known lines are read one by one. */
const FACT_LINES: readonly LineSpec[] = [
  'Error syncing pod',
  'oom-kill:constraint=',
  'Memory cgroup out of memory',
  'Out of memory: Killed process',
  'apparmor="DENIED"',
  'avc:  denied',
  'Main process exited',
  'Scheduled restart job',
  'Start request repeated too quickly',
  'cgroup driver setting received',
  'Creating Container Manager object',
  'kubeletVersion=',
  'starting containerd',
  'Start cri plugin with config',
  'returns sandbox id',
  'returns container id',
  'Failed with result',
  'systemd[1]: Started',
  'systemd[1]: Stopped',
  'Deactivated successfully',
  'entered failed state',
  'holdoff time over',
  'failed to \\"StartContainer',
  'starting cri plugin',
  'type=1326',
  '"Version info"',
].map((literal) => ({ id: `fact-line/${literal}`, literals: [literal], channels: [] }));

/** The end of a log holds the last words; it is read like a small one. */
const TAIL = 128 * 1024;

interface Kept {
  readonly said: Said;
  /** A repeat is told once per known line in it; it counts once. */
  lastLine: number;
}

/** Streams a text too large to hold: known lines and lines with facts from all of it, everything from its end. */
export async function readLargeText(
  document: Document,
  context: Context,
  readers: readonly BlockReader[],
  lines: readonly LineSpec[],
  sink: EvidenceSink,
  redact: boolean,
): Promise<number> {
  const scanner = createScanner([...lines, ...FACT_LINES]);
  const memory = createMemory();
  const links = createLinks();
  const tail = createTail();
  const inert = (text: string) => (redact ? redactLine(cleanLine(text)).text : cleanLine(text));

  const { lines: count, longLines } = await scanLargeText<Kept>(
    tail.watch(document),
    scanner,
    ({ lineNumber, text }) => {
      const clean = inert(text);
      const under = underNode(clean);
      const own = under?.text ?? clean;
      const line = parseLogLine(own) ?? plainLogLine(own);
      const attribution = attribute(line, under ? { ...context, node: under.node } : context);
      const cited = { doc: context.doc, at: { lines: [lineNumber, lineNumber] as const }, quote: clip(clean.trim()) };
      links.see(attribution);
      factsOfLine(line, attribution, cited, sink, memory);
      const { channel, about, component } = attribution;
      const saying: Saying = {
        channel,
        about,
        text: textOf(line),
        cited,
        ...(line.level ? { level: line.level } : {}),
        ...(component ? { component } : {}),
        ...(line.when !== undefined ? { when: line.when } : {}),
      };
      return { said: sink.said(saying), lastLine: lineNumber };
    },
    (_spec, line, one) => {
      if (one.lastLine === line) return;
      one.lastLine = line;
      sink.again(one.said);
    },
  );
  if (longLines > 0) sink.evidence.unread.push({ doc: context.doc, why: `only the beginning of lines over 64 kB was read (${longLines})` });
  links.tell(sink);
  settle(memory, sink);
  readTail(tail.lines(inert), count, context, readers, sink);
  return count;
}

function readTail(lines: readonly string[], count: number, context: Context, readers: readonly BlockReader[], sink: ReadingSink): void {
  readText(lines, context, readers, shifted(sink, Math.max(0, count - lines.length)));
}

/** Keeps the last bytes that pass by. */
function createTail() {
  let last: Buffer = Buffer.alloc(0);
  async function* passing(document: Document): AsyncIterable<Uint8Array> {
    if (!document.read) {
      if (document.bytes) yield document.bytes;
      return;
    }
    for await (const chunk of document.read()) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      last = bytes.length >= TAIL ? Buffer.from(bytes.subarray(bytes.length - TAIL)) : Buffer.concat([last, bytes]).subarray(-TAIL);
      yield chunk;
    }
  }
  return {
    watch: (document: Document): Document => ({ ...document, read: () => passing(document) }),
    lines(inert: (text: string) => string): string[] {
      const lines = last.toString('utf8').replace(/\n$/, '').split('\n').map(inert);
      return last.length >= TAIL ? lines.slice(1) : lines;
    },
  };
}
