import type { Coverage } from '../../model/channel.ts';
import type { Edge, Piece } from '../../model/evidence.ts';
import type { Fact, FactKind } from '../../model/facts.ts';
import type { Context, ReadingSink, Saying } from '../../model/reading.ts';
import { kubectlTextReaders } from './index.ts';

interface Recorded {
  readonly facts: Fact[];
  readonly edges: Edge[];
  readonly coverage: Coverage[];
  readonly pieces: Piece[];
  readonly said: Saying[];
  /** Lines that no reader took. */
  readonly left: string[];
}

/** Offers each line of a text to the readers, as the segmenter does. */
export function readText(text: string, context: Partial<Context> = {}): Recorded {
  const recorded: Recorded = { facts: [], edges: [], coverage: [], pieces: [], said: [], left: [] };
  const sink: ReadingSink = {
    fact: (kind, about, payload, cited, more) =>
      recorded.facts.push({ ...payload, ...more, kind, about, cited: [cited] } as unknown as Fact),
    edge: (edge) => recorded.edges.push(edge),
    cover: (coverage) => recorded.coverage.push(coverage),
    piece: (piece) => recorded.pieces.push(piece),
    said: (saying) => recorded.said.push(saying),
  };
  const lines = text.split('\n');
  const full: Context = { doc: 'paste.txt', ...context };
  let index = 0;
  while (index < lines.length) {
    const from = index;
    for (const reader of kubectlTextReaders) {
      index = reader.read(lines, from, full, sink);
      if (index > from) break;
    }
    if (index < from || index > lines.length) throw new RangeError(`a reader went from line ${from} to ${index} of ${lines.length}`);
    if (index > from) continue;
    if (lines[from]?.trim() !== '') recorded.left.push(lines[from] ?? '');
    index = from + 1;
  }
  return recorded;
}

export function factsOf<K extends FactKind>(recorded: Recorded, kind: K, about?: string): Fact<K>[] {
  return recorded.facts.filter((fact): fact is Fact<K> => fact.kind === kind && (about === undefined || fact.about === about));
}

/** What a fact says, without where it stands. */
export function saying(fact: Fact | undefined): Record<string, unknown> {
  if (!fact) return {};
  const { cited: _cited, kind: _kind, ...rest } = fact;
  return rest;
}

export function linesOf(fact: Fact | undefined): readonly number[] {
  const at = fact?.cited[0]?.at;
  return at?.lines ?? [];
}
