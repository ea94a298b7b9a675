import type { Coverage } from '../../model/channel.ts';
import type { Edge } from '../../model/evidence.ts';
import type { Fact, FactKind } from '../../model/facts.ts';
import type { BlockReader, Context, ReadingSink, Saying } from '../../model/reading.ts';
import { hostReaders } from './index.ts';

interface Heard {
  readonly facts: readonly Fact[];
  readonly edges: readonly Edge[];
  readonly coverage: readonly Coverage[];
  readonly sayings: readonly Saying[];
  /** Which reader took which lines, from 1. */
  readonly taken: readonly { readonly what: string; readonly lines: readonly [number, number] }[];
}

/** Offers each line of a text to the readers, as the segmenter does. */
export function hear(text: string, context: Partial<Context> = {}, readers: readonly BlockReader[] = hostReaders): Heard {
  const heard = {
    facts: [] as Fact[],
    edges: [] as Edge[],
    coverage: [] as Coverage[],
    sayings: [] as Saying[],
    taken: [] as { what: string; lines: [number, number] }[],
  };
  const sink: ReadingSink = {
    fact: (kind, about, payload, cited, more) =>
      void heard.facts.push({ kind, about, ...payload, cited: [cited], ...more } as unknown as Fact),
    edge: (edge) => void heard.edges.push(edge),
    cover: (coverage) => void heard.coverage.push(coverage),
    piece: () => undefined,
    said: (saying) => void heard.sayings.push(saying),
  };
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; ) {
    const before = index;
    for (const reader of readers) {
      const end = reader.read(lines, index, { doc: 'paste.txt', ...context }, sink);
      if (end <= index) continue;
      heard.taken.push({ what: reader.what, lines: [index + 1, end] });
      index = end;
      break;
    }
    if (index === before) index++;
  }
  return heard;
}

/** The facts of one kind, without their citations. */
export function told<K extends FactKind>(heard: Heard, kind: K): Omit<Fact<K>, 'cited' | 'kind'>[] {
  return heard.facts
    .filter((fact): fact is Fact<K> => fact.kind === kind)
    .map(({ cited, kind: _kind, ...rest }) => rest as Omit<Fact<K>, 'cited' | 'kind'>);
}

/** The lines a fact cites. */
export function linesOf(fact: Fact | undefined): readonly [number, number] | undefined {
  return fact?.cited[0]?.at.lines;
}
