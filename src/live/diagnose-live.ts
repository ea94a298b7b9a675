import { discover, type ServedApis } from '../collect/cluster/discover.ts';
import type { Had } from '../collect/cluster/had.ts';
import { listDocument } from '../collect/cluster/list-documents.ts';
import { type ClusterScope, LISTS, type ListKind } from '../collect/cluster/lists.ts';
import { ClusterError, type ClusterPort } from '../collect/cluster/port.ts';
import { type DiagnoseOptions, type Diagnosis, type Documents, openDiagnosis, type TextDocument, type Thought } from '../diagnose.ts';
import type { Document, Page, Unread } from '../model/document.ts';
import { entityOf } from '../model/entity.ts';
import type { Report, ReportSource, Touched } from '../model/report.ts';
import { about } from '../reason/about.ts';
import { BOUNDS, type Bounds, Deepening } from './deepen.ts';
import { type Suspects, suspectsOf } from './suspects.ts';

export interface LiveOptions extends Omit<DiagnoseOptions, 'unread' | 'onProgress' | 'source'> {
  readonly scope: ClusterScope;
  /** Falls back to the context's namespace when the whole cluster may not be listed. */
  readonly mayNarrow?: boolean;
  readonly sinceSeconds?: number;
  readonly bounds?: Bounds;
  /** Evidence of the user's own, read with the rest. */
  readonly more?: Documents;
  /** Sees everything that was read, as it came. */
  readonly keep?: Keeper;
  /** Reads hosts, where the user allowed it. */
  readonly deep?: (suspects: Suspects) => Promise<Had>;
  readonly onStep?: (says: string) => void;
}

export interface Keeper {
  page(name: string, page: Page): void;
  document(document: Document): void;
  unread(unread: Unread): void;
}

export interface LiveResult {
  readonly report: Report;
  readonly scope: ClusterScope;
  readonly thought: Thought;
  readonly source: ReportSource;
  /** What the report is narrowed to. */
  readonly about?: Touched;
}

/** By the server's clock, which its events are dated by. */
function toldSince({ sinceSeconds }: LiveOptions, { date }: ServedApis): Pick<DiagnoseOptions, 'toldSince'> {
  return sinceSeconds === undefined ? {} : { toldSince: date - sinceSeconds * 1000 };
}

/** Lists first, then only what open questions ask for, round by round, until nothing more is to be had. */
export async function diagnoseLive(port: ClusterPort, options: LiveOptions): Promise<LiveResult> {
  const step = options.onStep ?? (() => {});
  step('which APIs the server has');
  const apis = await discover(port);
  const scope = await scopeAllowed(port, options);
  const { about: _about, ...rest } = options;
  const diagnosis = openDiagnosis({ ...rest, ...toldSince(options, apis) });
  const run = new Run(port, diagnosis, options, scope, apis);
  await run.lists(LISTS, scope);
  if (options.more) await diagnosis.read(kept(options.more, options.keep));
  const thought = await run.deepen();
  const source = sourceOf(port, scope, apis);
  const thing = options.about ?? (scope.namespace === undefined ? undefined : { kind: 'Namespace', name: scope.namespace });
  const report = { ...diagnosis.report(thought), source };
  return { report: thing ? about(report, thing) : report, scope, thought, source, ...(thing ? { about: thing } : {}) };
}

function sourceOf(
  { context, server, counted }: ClusterPort,
  { namespace }: ClusterScope,
  { serverVersion, date }: ServedApis,
): ReportSource {
  return {
    ...(context !== undefined ? { context } : {}),
    server,
    ...(serverVersion !== undefined ? { version: serverVersion } : {}),
    ...(namespace !== undefined ? { namespace } : {}),
    takenAt: new Date(date).toISOString(),
    requests: counted.requests,
  };
}

/** What the user handed over goes into a bundle as well. */
async function* kept(documents: Documents, keep: Keeper | undefined): AsyncIterable<Document | TextDocument> {
  for await (const document of documents) {
    const bytes = 'text' in document ? Buffer.from(document.text) : document.bytes;
    if (bytes !== undefined) keep?.document({ name: `given/${document.name}.txt`, size: bytes.length, bytes });
    yield document;
  }
}

/** People with rights in one namespace only get that one, and are told. */
async function scopeAllowed(port: ClusterPort, { scope, mayNarrow }: LiveOptions): Promise<ClusterScope> {
  if (!mayNarrow || scope.namespace !== undefined) return scope;
  try {
    await port.request({ path: '/api/v1/pods?limit=1', accept: 'application/json' });
    return scope;
  } catch (error) {
    if (!(error instanceof ClusterError) || error.kind !== 'forbidden') throw error;
    return { ...scope, namespace: port.namespace };
  }
}

const PODS = LISTS.filter(({ plural }) => plural === 'pods');

class Run {
  private readonly port: ClusterPort;
  private readonly diagnosis: Diagnosis;
  private readonly options: LiveOptions;
  private readonly scope: ClusterScope;
  private readonly apis: ServedApis;

  constructor(port: ClusterPort, diagnosis: Diagnosis, options: LiveOptions, scope: ClusterScope, apis: ServedApis) {
    this.port = port;
    this.diagnosis = diagnosis;
    this.options = options;
    this.scope = scope;
    this.apis = apis;
  }

  async lists(kinds: readonly ListKind[], scope: ClusterScope): Promise<void> {
    const { keep, onStep } = this.options;
    const lists = kinds.flatMap((kind) => {
      const version = this.apis.firstOf(kind.versions);
      if (version === undefined) return [];
      const list = listDocument(this.port, kind, version, scope, {
        ...(keep ? { json: true, onPage: (name, page) => keep.page(name, page) } : {}),
        takenAt: this.apis.date,
      });
      return list ? [{ ...list, kind }] : [];
    });
    for (const { document, unread, kind } of lists) {
      onStep?.(`listing ${kind.plural}`);
      await this.diagnosis.read([document]);
      await this.missed(unread);
    }
  }

  async deepen(): Promise<Thought> {
    const { deep, onStep, bounds = BOUNDS, sinceSeconds } = this.options;
    const deepening = new Deepening(bounds, sinceSeconds);
    // One thought at a time: on a large cluster two would not fit.
    let thought: Thought | undefined = this.diagnosis.think();
    const neighbours = this.neighboursOf(thought);
    if (neighbours.length > 0) {
      thought = undefined;
      for (const node of neighbours) await this.lists(PODS, { node });
    }
    for (let round = 0; round < bounds.rounds; round++) {
      thought ??= this.diagnosis.think();
      const steps = deepening.steps(thought);
      if (steps.length === 0) break;
      thought = undefined;
      await this.take(await deepening.run(steps, this.port, (says) => onStep?.(says)));
    }
    thought ??= this.diagnosis.think();
    if (!deep) return thought;
    const suspects = suspectsOf(thought, this.scope);
    thought = undefined;
    await this.take(await deep(suspects));
    return this.diagnosis.think();
  }

  /** A namespace alone does not show that a node stops all its pods: those on suspect nodes are listed too. */
  private neighboursOf(thought: Thought): readonly string[] {
    const { namespace, selector } = this.scope;
    if (namespace === undefined && selector === undefined) return [];
    return suspectsOf(thought, this.scope).nodes.slice(0, 2);
  }

  private async take({ documents, unread }: Had): Promise<void> {
    for (const document of documents) this.options.keep?.document(document);
    await this.diagnosis.read(documents);
    await this.missed(unread);
  }

  private async missed(unread: readonly Unread[]): Promise<void> {
    if (unread.length === 0) return;
    for (const one of unread) this.options.keep?.unread(one);
    await this.diagnosis.read([], unread);
  }
}

/** Whether the evidence shows the thing at all. */
export function isThere({ base }: Thought, kind: string, name: string): boolean {
  for (const id of base.entities()) {
    const entity = entityOf(id);
    if (entity.name === name && (entity.kind === kind || entity.type === kind)) return true;
  }
  return false;
}
