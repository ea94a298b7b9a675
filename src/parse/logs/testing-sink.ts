import type { Coverage } from '../../model/channel.ts';
import type { Edge, Piece } from '../../model/evidence.ts';
import type { Context, ReadingSink, Saying } from '../../model/reading.ts';
import { logReader } from './log-reader.ts';

export interface Heard {
  readonly facts: {
    readonly kind: string;
    readonly about: string;
    readonly payload: unknown;
    readonly lines?: readonly number[] | undefined;
    readonly when?: number;
  }[];
  readonly edges: Edge[];
  readonly covers: Coverage[];
  readonly pieces: Piece[];
  readonly sayings: Saying[];
}

/** Keeps everything a reader hands over. */
export function createHearing(): Heard & { readonly sink: ReadingSink } {
  const heard: Heard = { facts: [], edges: [], covers: [], pieces: [], sayings: [] };
  const sink: ReadingSink = {
    fact: (kind, about, payload, cited, more) =>
      void heard.facts.push({ kind, about, payload, lines: cited.at.lines, ...(more?.when !== undefined ? { when: more.when } : {}) }),
    edge: (edge) => void heard.edges.push(edge),
    cover: (coverage) => void heard.covers.push(coverage),
    piece: (piece) => void heard.pieces.push(piece),
    said: (saying) => void heard.sayings.push(saying),
  };
  return { ...heard, sink };
}

/** Reads a text from its first line with the log reader. */
export function readText(text: string, context: Partial<Context> = {}): Heard & { readonly end: number } {
  const { sink, ...heard } = createHearing();
  const end = logReader.read(text.split('\n'), 0, { doc: 'log.txt', ...context }, sink);
  return { ...heard, end };
}
