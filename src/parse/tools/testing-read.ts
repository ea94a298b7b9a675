import type { Coverage } from '../../model/channel.ts';
import type { Piece } from '../../model/evidence.ts';
import type { Context, ReadingSink, Saying } from '../../model/reading.ts';
import { toolReaders } from './index.ts';

interface Told {
  readonly kind: string;
  readonly about: string;
  readonly payload: unknown;
  readonly lines?: readonly number[] | undefined;
}

interface Read {
  readonly facts: Told[];
  readonly said: Saying[];
  readonly coverage: Coverage[];
  readonly pieces: Piece[];
  /** Lines that no reader took. */
  readonly left: string[];
}

/** Offers each line of a text to the readers of client tools, as the segmenter does. */
export function readTool(text: string, context: Partial<Context> = {}): Read {
  const read: Read = { facts: [], said: [], coverage: [], pieces: [], left: [] };
  const sink: ReadingSink = {
    fact: (kind, about, payload, cited) => void read.facts.push({ kind, about, payload, lines: cited.at.lines }),
    edge: () => undefined,
    cover: (coverage) => void read.coverage.push(coverage),
    piece: (piece) => void read.pieces.push(piece),
    said: (saying) => void read.said.push(saying),
  };
  const lines = text.split('\n');
  const full: Context = { doc: 'paste.txt', ...context };
  for (let index = 0; index < lines.length; ) {
    const end = toolReaders.reduce((next, reader) => (next > index ? next : reader.read(lines, index, full, sink)), index);
    if (end < index || end > lines.length) throw new RangeError(`a reader went from line ${index} to ${end} of ${lines.length}`);
    if (end === index && lines[index]?.trim() !== '') read.left.push(lines[index] ?? '');
    index = Math.max(end, index + 1);
  }
  return read;
}

export function payloadsOf(read: Read, kind: string): [about: string, payload: unknown][] {
  return read.facts.filter((fact) => fact.kind === kind).map(({ about, payload }) => [about, payload]);
}

/** What was told as an error or a warning. */
export function errorsIn(read: Read): string[] {
  return read.said.filter(({ level }) => level !== 'info').map(({ text }) => text);
}
