import type { Coverage } from '../../model/channel.ts';
import type { Citation } from '../../model/citation.ts';
import type { EntityId } from '../../model/entity.ts';
import type { Edge, Evidence } from '../../model/evidence.ts';
import type { Fact, FactHead, FactKind, FactKinds } from '../../model/facts.ts';
import type { ReadingSink, Saying } from '../../model/reading.ts';
import { createErrorStore, type ErrorFact } from './error-store.ts';
import { createFactStore } from './fact-store.ts';
import type { Scanner } from './scanner.ts';
import { createSignatureStore, type SignatureFact } from './signature-store.ts';

/** The facts one saying went into; hand it back to `again` when the same line comes once more. */
export interface Said {
  readonly signatures: readonly SignatureFact[];
  readonly error?: ErrorFact;
}

export interface EvidenceSink extends ReadingSink {
  readonly evidence: Evidence;
  said(saying: Saying): Said;
  /** Counts a line that was said before without reading it again. */
  again(said: Said, times?: number, when?: number): void;
  /** What was seen but not kept, because there was too much of it. */
  readonly dropped: { readonly errors: number; readonly signatures: number };
}

export function createEvidenceSink(scanner: Scanner): EvidenceSink {
  const evidence: Evidence = { facts: [], edges: [], coverage: [], pieces: [], unrecognised: [], unread: [] };
  const facts = createFactStore(evidence.facts);
  const signatures = createSignatureStore(evidence.facts);
  const errors = createErrorStore(evidence.facts);
  const isNewEdge = edgeFilter();

  return {
    evidence,
    get dropped() {
      return { errors: errors.dropped, signatures: signatures.dropped };
    },
    fact<K extends FactKind>(
      kind: K,
      about: EntityId,
      payload: FactKinds[K],
      cited: Citation,
      more?: { when?: number; hearsay?: boolean },
    ) {
      const head: FactHead = { kind, about, cited: [cited] };
      const fact = Object.assign(head, payload, more?.when !== undefined ? { when: more.when } : undefined);
      facts.add((more?.hearsay ? Object.assign(fact, { hearsay: true }) : fact) as unknown as Fact);
    },
    edge(edge) {
      if (isNewEdge(edge)) evidence.edges.push(edge);
    },
    cover(coverage) {
      const previous = evidence.coverage.at(-1);
      if (!previous || !isSameCoverage(previous, coverage)) evidence.coverage.push(coverage);
    },
    piece(piece) {
      evidence.pieces.push(piece);
    },
    said(saying) {
      const seen = scanner.match(saying.text).flatMap((hit) => signatures.take(saying, hit) ?? []);
      const error = errors.take(saying);
      return { signatures: seen, ...(error ? { error } : {}) };
    },
    again(said, times = 1, when) {
      for (const fact of said.signatures) signatures.again(fact, times, when);
      if (said.error) said.error.count += times;
    },
  };
}

interface Links {
  node: EntityId | undefined;
  workload: EntityId | undefined;
}

/** Readers declare the same edge for every line that shows it. */
function edgeFilter(): (edge: Edge) => boolean {
  const aliases = new Map<EntityId, EntityId>();
  const pods = new Map<EntityId, Links>();
  let pod: EntityId | undefined;
  let links: Links = { node: undefined, workload: undefined };

  /** The edges of one pod mostly come one after the other. */
  function turnTo(next: EntityId): void {
    if (next === pod) return;
    pod = next;
    const known = pods.get(next);
    links = known ?? { node: undefined, workload: undefined };
    if (known === undefined) pods.set(next, links);
  }

  return (edge) => {
    if (edge.type === 'alias') {
      if (aliases.get(edge.alias) === edge.entity) return false;
      aliases.set(edge.alias, edge.entity);
      return true;
    }
    turnTo(edge.pod);
    if (edge.type === 'runs-on') {
      if (links.node === edge.node) return false;
      links.node = edge.node;
    } else {
      if (links.workload === edge.workload) return false;
      links.workload = edge.workload;
    }
    return true;
  };
}

function isSameCoverage(one: Coverage, other: Coverage): boolean {
  if (one.channel !== other.channel || one.about !== other.about || one.extent !== other.extent || one.doc !== other.doc) return false;
  return one.lines?.[0] === other.lines?.[0] && one.lines?.[1] === other.lines?.[1];
}
