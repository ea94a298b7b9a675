import type { Coverage } from '../../model/channel.ts';
import type { Edge } from '../../model/evidence.ts';
import type { Fact, FactKind } from '../../model/facts.ts';
import type { ReadingSink, Saying } from '../../model/reading.ts';

/** Keeps everything it is handed, for tests. */
export class TestSink implements ReadingSink {
  readonly facts: Fact[] = [];
  readonly edges: Edge[] = [];
  readonly coverage: Coverage[] = [];
  readonly sayings: Saying[] = [];

  fact: ReadingSink['fact'] = (kind, about, payload, cited, more) => {
    this.facts.push({ ...payload, ...more, kind, about, cited: [cited] } as unknown as Fact);
  };

  edge: ReadingSink['edge'] = (edge) => {
    this.edges.push(edge);
  };

  cover: ReadingSink['cover'] = (coverage) => {
    this.coverage.push(coverage);
  };

  piece: ReadingSink['piece'] = () => {};

  said: ReadingSink['said'] = (saying) => {
    this.sayings.push(saying);
  };

  all<K extends FactKind>(kind: K): Fact<K>[] {
    return this.facts.filter((fact) => fact.kind === kind) as Fact<K>[];
  }

  one<K extends FactKind>(kind: K): Fact<K> {
    const found = this.all(kind);
    if (found.length !== 1 || !found[0]) throw new Error(`${found.length} facts of kind ${kind}`);
    return found[0];
  }
}
