import type { Extent } from '../../model/channel.ts';
import { containerId, entityOf, podId, THIS_NODE, UNKNOWN } from '../../model/entity.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { type Attribution, attribute } from './attribute.ts';
import { LOG_CHANNELS } from './channels.ts';
import { isJournalMark, isOwnWords, isProse } from './continuation.ts';
import { type KubectlNote, kubectlNote } from './kubectl-notes.ts';
import { createLastWords } from './last-words.ts';
import { createMemory, factsOfLine, settle } from './line-facts.ts';
import { createLinks } from './links.ts';
import type { LogLine } from './log-line.ts';
import { logicalLines } from './logical-lines.ts';
import { parseLogLine } from './parse-line.ts';
import { voiceOf } from './programs.ts';
import { textOf } from './say.ts';
import { createTally } from './tally.ts';
import { startsTrace } from './trace.ts';
import { datedDays, whenOf } from './years.ts';

const SAMPLE = 200;
const FARTHEST_BACK = 30;

/** Reads runs of log lines: of the journal, of daemons, of containers, of the kernel. */
export const logReader: BlockReader = { what: 'log', read: readLog };

function readLog(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const declared = isDeclared(context);
  const first = lines[from] ?? '';
  const marked = isJournalMark(first);
  if (!marked && !parseLogLine(first) && (!declared || isAfterLog(lines, from)) && !startsTrace(lines, from)) return from;
  const notes = declared ? readNotes(lines, from, context, sink) : { from, context };
  const end = readRun(lines, notes.from, notes.context, declared, sink);
  return marked && end === from ? readMark(from, context, sink) : Math.max(end, notes.from);
}

/** Whether somebody's own words have taken over since the last log line, so that a log announced before has ended. */
function isAfterLog(lines: readonly string[], from: number): boolean {
  if (from === 0) return isOwnWords(lines[0] ?? '');
  for (let index = from; index >= 0 && index > from - FARTHEST_BACK; index -= 1) {
    const text = lines[index] ?? '';
    if (isProse(text)) return true;
    if (index < from && parseLogLine(text)) return false;
  }
  return false;
}

/** Whether what follows is a log for certain, so that lines without any format count as well. */
function isDeclared(context: Context): boolean {
  if (context.channel !== undefined && LOG_CHANNELS.has(context.channel)) return true;
  const command = context.command ?? '';
  if (/\bdescribe\b|\bget\b/.test(command)) return false;
  return context.pod !== undefined && /\blogs?\b/.test(command);
}

/** A mark of the journal's own that no entry follows: what was asked for is not there. */
function readMark(from: number, context: Context, sink: ReadingSink): number {
  const lines = [from + 1, from + 1] as const;
  sink.piece({ doc: context.doc, lines, what: 'journal' });
  const { channel } = context;
  if (channel !== undefined && LOG_CHANNELS.has(channel)) {
    sink.cover({ channel, about: context.node ?? THIS_NODE, extent: 'excerpt', doc: context.doc, lines });
  }
  return from + 1;
}

/** Takes what kubectl prints before a log, or instead of one. */
function readNotes(lines: readonly string[], from: number, context: Context, sink: ReadingSink): { from: number; context: Context } {
  let index = from;
  let known = context;
  for (; index < lines.length; index += 1) {
    const note = kubectlNote((lines[index] ?? '').trim());
    if (!note) break;
    if (note.kind === 'default-container') known = { ...known, container: known.container ?? note.container };
    else tellNote(note, lines, index, known, sink);
  }
  return { from: index, context: known };
}

function tellNote(note: KubectlNote, lines: readonly string[], index: number, context: Context, sink: ReadingSink): void {
  if (note.kind === 'default-container' || note.kind === 'aside') return;
  const named = note.kind === 'waiting' && note.pod !== undefined ? podId(context.namespace, note.pod) : podId(context.namespace, UNKNOWN);
  const pod = context.pod ?? named;
  const about = containerId(pod, note.kind === 'waiting' ? note.container : (context.container ?? UNKNOWN));
  const cited = citeLines(context.doc, lines, index);
  const extent: Extent = note.kind === 'failed' && note.denied ? 'denied' : 'failed';
  sink.cover({ channel: 'container-log', about, extent, doc: context.doc, lines: [index + 1, index + 1] });
  sink.piece({ doc: context.doc, lines: [index + 1, index + 1], what: 'answer of kubectl logs' });
  if (note.kind === 'failed') {
    sink.said({ channel: 'pod-status', about: pod, text: (lines[index] ?? '').trim(), cited, level: 'error', component: 'kubectl' });
    return;
  }
  if (/^[A-Z][A-Za-z]+$/.test(note.reason)) sink.fact('container.waiting', about, { reason: note.reason }, cited);
  else sink.said({ channel: 'pod-status', about, text: note.reason, cited, level: 'error', component: 'kubelet' });
}

function readRun(lines: readonly string[], from: number, context: Context, declared: boolean, sink: ReadingSink): number {
  let days: readonly number[] | undefined;
  const voice = voiceOf(sampleOf(lines, from, declared));
  const links = createLinks();
  const memory = createMemory();
  const tally = createTally();
  const words = createLastWords();
  let end = from;
  let held: ((last: boolean) => void) | undefined;
  for (const logical of logicalLines(lines, from, declared)) {
    end = logical.last + 1;
    if (days === undefined && logical.line.when === undefined && logical.line.timeText !== undefined)
      days = datedDays(lines, from, context);
    const line = dated(logical.line, days ?? []);
    const attribution = attribute(line, context, voice);
    const cited = citeLines(context.doc, lines, logical.first, logical.last);
    const text = textOf(line, logical.more);
    if (text === '') continue;
    links.see(attribution);
    tally.see(attribution, line, logical);
    factsOfLine(line, attribution, cited, sink, memory);
    const inContainer = entityOf(attribution.home).kind === 'Container';
    if (inContainer) words.see(attribution.home, text, line.level, cited);
    held?.(false);
    held = (last) => say(sink, attribution, line, text, cited, last && inContainer);
  }
  held?.(true);
  settle(memory, sink);
  words.tell(sink);
  links.tell(sink);
  tally.tell(sink, context, declared);
  return end;
}

function say(
  sink: ReadingSink,
  { channel, about, component }: Attribution,
  line: LogLine,
  text: string,
  cited: ReturnType<typeof citeLines>,
  last: boolean,
): void {
  sink.said({
    channel,
    about,
    text,
    cited,
    ...(line.when !== undefined ? { when: line.when } : {}),
    ...(line.level !== undefined ? { level: line.level } : {}),
    ...(component !== undefined ? { component } : {}),
    ...(last ? { last: true } : {}),
  });
}

function dated(line: LogLine, days: readonly number[]): LogLine {
  const when = whenOf(line, days);
  return when === undefined || when === line.when ? line : { ...line, when };
}

function sampleOf(lines: readonly string[], from: number, declared: boolean): LogLine[] {
  const sample: LogLine[] = [];
  for (const { line } of logicalLines(lines, from, declared)) {
    sample.push(line);
    if (sample.length >= SAMPLE) break;
  }
  return sample;
}
