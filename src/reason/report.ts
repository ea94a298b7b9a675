import type { FactBase } from '../facts/fact-base.ts';
import type { Citation } from '../model/citation.ts';
import type { Unread } from '../model/document.ts';
import type { EntityId } from '../model/entity.ts';
import type { Evidence } from '../model/evidence.ts';
import type { FactKind } from '../model/facts.ts';
import { type CoverageLine, type Excerpt, type Incident, REPORT_VERSION, type Report, type Undecided } from '../model/report.ts';
import { TOOL_VERSION } from '../model/tool-version.ts';
import type { Translate } from '../model/wording.ts';
import { placeName } from './names.ts';
import { PHRASES } from './phrases.ts';
import type { Reasoned } from './reason.ts';
import { inEnglish, type Say, sayIn } from './say.ts';

export interface ReadResult {
  readonly evidence: Evidence;
  /** Redacted lines of the documents small enough to be held. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly documents: number;
  readonly lines: number;
  readonly bytes: number;
  readonly redactions: number;
  readonly unread: readonly Unread[];
}

const COVERAGE_LISTED = 200;
const AROUND = 3;
const EXCERPT_LINES = 2000;

export function assembleReport(parts: {
  reasoned: Reasoned;
  base: FactBase;
  read: ReadResult;
  milliseconds: number;
  translate?: Translate | undefined;
}): Report {
  const { reasoned, base, read, milliseconds, translate } = parts;
  const say = translate ? sayIn(translate) : inEnglish;
  const { incidents, undecided, ruledOut, history, failures } = reasoned;
  const open = incidents.length === 0 && undecided.length === 0 && !showsHealth(base) ? [nothingShown(say)] : undecided;
  return {
    version: REPORT_VERSION,
    tool: { name: 'podcause', version: TOOL_VERSION },
    verdict: incidents.length > 0 ? 'found' : open.length > 0 ? 'undecided' : 'healthy',
    incidents,
    undecided: open,
    ruledOut: ruledOut.slice(0, 100),
    history,
    coverage: {
      documents: read.documents,
      lines: read.lines,
      bytes: read.bytes,
      looked: coverageLines(base, say),
      pieces: read.evidence.pieces.slice(0, COVERAGE_LISTED),
      unrecognised: read.evidence.unrecognised.slice(0, COVERAGE_LISTED),
      unread: read.unread.slice(0, COVERAGE_LISTED),
      pods: countPods(base),
      nodes: countNodes(base),
      redactions: read.redactions,
    },
    excerpts: excerptsFor(incidents, read.texts),
    failures,
    timings: { milliseconds: Math.round(milliseconds), lookups: base.lookups.count, facts: base.size },
  };
}

/** Healthy is a claim: it needs something that would show trouble, read and found well. */
function showsHealth(base: FactBase): boolean {
  const telling = ['pod.status', 'node.status', 'node.condition', 'workload.replicas', 'object.status', 'unit.state'] as const;
  return telling.some((kind) => base.all(kind).length > 0);
}

function nothingShown(say: Say): Undecided {
  return {
    says: say(PHRASES.nothingShown),
    victims: [],
    open: [],
    asks: [
      { tells: say(PHRASES.tellsPods), command: 'kubectl get pods -A -o wide', where: 'anywhere', channel: 'pod-status', settles: [] },
      {
        tells: say(PHRASES.tellsLately),
        command: 'kubectl get events -A --sort-by=.lastTimestamp',
        where: 'anywhere',
        channel: 'pod-events',
        settles: [],
      },
    ],
  };
}

function countPods(base: FactBase): number {
  let count = 0;
  for (const id of base.entities()) if (id.startsWith('Pod/') && !id.includes('?')) count++;
  return count;
}

/** Nodes known by more than a mention in somebody's events. */
function countNodes(base: FactBase): number {
  const seen = new Set<EntityId>();
  for (const id of base.entities()) if (id.startsWith('Node/') && !id.includes('?')) seen.add(id);
  const onlyMentioned = [...seen].filter(
    (id) => base.of('node.event', id).length > 0 && !SHOWS_NODE.some((kind) => base.of(kind, id).length > 0),
  );
  return seen.size - onlyMentioned.length;
}

const SHOWS_NODE: readonly FactKind[] = ['node.status', 'node.condition', 'node.info', 'node.symptom', 'unit.state', 'host.os'];

function coverageLines(base: FactBase, say: Say): CoverageLine[] {
  const lines = new Map<string, { line: CoverageLine; docs: Set<string> }>();
  for (const { channel, about, extent, doc } of base.coverage.all) {
    const key = `${channel}|${about}|${extent}`;
    const known = lines.get(key);
    if (known) known.docs.add(doc);
    else if (lines.size < COVERAGE_LISTED)
      lines.set(key, { line: { channel, about: placeName(about, say), extent, docs: [] }, docs: new Set([doc]) });
  }
  return [...lines.values()].map(({ line, docs }) => ({ ...line, docs: [...docs].slice(0, 8) }));
}

/** The cited lines with a few around them, so that the report proves itself without the files. */
function excerptsFor(incidents: readonly Incident[], texts: ReadonlyMap<string, readonly string[]>): Excerpt[] {
  const wanted = new Map<string, Set<number>>();
  let budget = EXCERPT_LINES;
  for (const { doc, at } of citationsOf(incidents)) {
    const lines = texts.get(doc);
    if (!lines || at.lines === undefined) continue;
    const numbers = wanted.get(doc) ?? new Set<number>();
    wanted.set(doc, numbers);
    const last = Math.min(at.lines[1], at.lines[0] + 20);
    for (let line = at.lines[0] - AROUND; line <= last + AROUND; line++) {
      if (line < 1 || line > lines.length || numbers.has(line) || budget <= 0) continue;
      numbers.add(line);
      budget--;
    }
  }
  return [...wanted].flatMap(([doc, numbers]) =>
    runsOf([...numbers].sort((a, b) => a - b)).map(([first, last]) => excerpt(doc, first, last, texts)),
  );
}

function excerpt(doc: string, first: number, last: number, texts: ReadonlyMap<string, readonly string[]>): Excerpt {
  const lines = texts.get(doc)?.slice(first - 1, last) ?? [];
  return { doc, first, lines: lines.map((line) => (line.length > 600 ? `${line.slice(0, 599)}…` : line)) };
}

function runsOf(sorted: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const number of sorted) {
    const last = runs.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

function citationsOf(incidents: readonly Incident[]): Citation[] {
  return incidents
    .slice(0, 20)
    .flatMap((incident) => [
      ...incident.because.flatMap(({ cited }) => cited),
      ...incident.chain.flatMap(({ because }) => because.flatMap(({ cited }) => cited)),
      ...incident.not.flatMap(({ cited }) => cited),
      ...incident.rivals.flatMap(({ because }) => because.flatMap(({ cited }) => cited)),
      ...incident.victims.slice(0, 30).flatMap(({ cited }) => cited),
      ...incident.timeline.flatMap(({ cited }) => cited),
    ]);
}
