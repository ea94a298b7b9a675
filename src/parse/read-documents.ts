import type { Document, Unread } from '../model/document.ts';
import type { Evidence, LineList, Unrecognised } from '../model/evidence.ts';
import type { BlockReader, Context, ReadingSink } from '../model/reading.ts';
import { type BundleManifest, readBundleManifest } from './bundle-manifest.ts';
import { hostReaders } from './host/index.ts';
import { kubectlTextReaders } from './kubectl-text/index.ts';
import { apartFromLogs, belowLines, type DumpSection, isDump } from './layouts/dump.ts';
import { contextOfDocument } from './layouts/index.ts';
import { layoutReaders } from './layouts/readers.ts';
import { logReader } from './logs/log-reader.ts';
import { jsonReader } from './objects/json-reader.ts';
import { readLargeJson } from './objects/large-json.ts';
import type { ReadingOptions } from './objects/object-reading.ts';
import { readPages } from './objects/read-pages.ts';
import { isComplete } from './objects/reading-options.ts';
import { yamlReader } from './objects/yaml-reader.ts';
import { isOwnReport } from './own-report.ts';
import { readLargeText } from './read-large-text.ts';
import { createEvidenceSink, type EvidenceSink } from './scan/evidence-sink.ts';
import { scannerOf } from './scan/scanner.ts';
import { readText } from './segment.ts';
import { asPrinted } from './text/as-printed.ts';
import { cleanLine } from './text/clean.ts';
import { prepareText } from './text/prepare.ts';
import { redactLine } from './text/redact.ts';
import { JOINED } from './text/wrapped-lines.ts';
import { toolReaders } from './tools/index.ts';

export interface ReadDocuments {
  readonly evidence: Evidence;
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly documents: number;
  readonly lines: number;
  readonly bytes: number;
  readonly redactions: number;
  /** Of the one bundle that was read. */
  readonly bundle?: BundleManifest;
}

export interface ReaderOptions {
  readonly redact?: boolean;
  readonly onProgress?: (progress: { readonly doc: string; readonly bytes: number }) => void;
  /** What collecting could not read, shown by whoever collected; what it missed becomes coverage here. May still grow. */
  readonly unread?: readonly Unread[];
}

/** Reads evidence in rounds; what was found adds up. */
export interface Reader {
  read(documents: AsyncIterable<Document> | Iterable<Document>): Promise<void>;
  /** Takes note of what could not be had, with what was therefore not seen. Entries it knows are passed over. */
  note(unread: readonly Unread[]): void;
  /** All so far; reading on does not change the lists of an earlier result. */
  result(): ReadDocuments;
}

/** Documents above this are streamed, and only their cited lines are kept. */
const TEXTS_HELD = 64 * 1024 * 1024;

/** Above this, objects are taken apart one by one even when the document is held. */
const HELD_OBJECTS = 2 * 1024 * 1024;

/** The most particular first: a describe holds tables, a table looks like text. */
const READERS: readonly BlockReader[] = [
  ...layoutReaders,
  ...toolReaders,
  ...kubectlTextReaders,
  ...hostReaders,
  jsonReader,
  yamlReader,
  logReader,
];

export async function readDocuments(
  documents: AsyncIterable<Document> | Iterable<Document>,
  lines: LineList,
  options: ReaderOptions,
): Promise<ReadDocuments> {
  const reader = createReader(lines, options);
  await reader.read(documents);
  return reader.result();
}

export function createReader(lines: LineList, options: ReaderOptions = {}): Reader {
  const reading = new Reading(lines, options);
  return {
    async read(documents) {
      for await (const document of documents) await reading.document(document);
    },
    note: (unread) => reading.note(unread),
    result: () => reading.result(),
  };
}

class Reading {
  private readonly lines: LineList;
  private readonly options: ReaderOptions;
  private readonly sink: EvidenceSink;
  private readonly texts = new Map<string, readonly string[]>();
  private readonly total = { documents: 0, lines: 0, bytes: 0, redactions: 0 };
  private readonly manifests: BundleManifest[] = [];
  private readonly told = new WeakSet<Unread>();
  private held = 0;

  constructor(lines: LineList, options: ReaderOptions) {
    this.lines = lines;
    this.options = options;
    this.sink = createEvidenceSink(scannerOf(lines));
  }

  private get redact(): boolean {
    return this.options.redact ?? true;
  }

  async document(document: Document): Promise<void> {
    this.total.documents++;
    this.progress(document.name, document.size);
    if (document.pages !== undefined) return this.pages(document);
    this.total.bytes += document.size;
    if (this.manifest(document)) return;
    if (isOwnReport(document))
      return this.note([{ doc: document.name, why: 'a report of podcause is no evidence; podcause fix and podcause verify take it' }]);
    if (document.bytes === undefined) await this.large(document);
    else if (document.size > HELD_OBJECTS && (await startsAsObjects(document))) await this.objects(document);
    else this.small(document, document.bytes);
  }

  note(unread: readonly Unread[]): void {
    const fresh = unread.filter((entry) => !this.told.has(entry));
    this.sink.evidence.unread.push(...fresh);
    this.tellMissed(fresh);
  }

  result(): ReadDocuments {
    this.tellMissed(this.options.unread ?? []);
    const { facts, edges, coverage, pieces, unrecognised, unread } = this.sink.evidence;
    const evidence = {
      facts: facts.slice(),
      edges: edges.slice(),
      coverage: coverage.slice(),
      pieces: pieces.slice(),
      unrecognised: unrecognised.slice(),
      unread: unread.slice(),
    };
    const [bundle, ...more] = this.manifests;
    const one = bundle !== undefined && more.length === 0 ? { bundle } : {};
    return { evidence, texts: new Map(this.texts), ...this.total, ...one };
  }

  private progress(doc: string, bytes: number): void {
    this.options.onProgress?.({ doc, bytes });
  }

  private tellMissed(unread: readonly Unread[]): void {
    for (const entry of unread) {
      if (this.told.has(entry)) continue;
      this.told.add(entry);
      for (const { channel, about, extent } of entry.missed ?? []) this.sink.cover({ channel, about, extent, doc: entry.doc });
    }
  }

  private async pages(document: Document): Promise<void> {
    const read = await readPages(document, this.sink, this.optionsFor(document), (bytes) => this.progress(document.name, bytes));
    this.total.bytes += read.bytes;
    this.cut(document.name, read.truncated, read.bytes);
  }

  private manifest(document: Document): boolean {
    const manifest = readBundleManifest(document, this.optionsFor(document).redact);
    if (manifest === undefined) return false;
    if (this.manifests.some(({ root }) => root === manifest.root)) return true;
    this.manifests.push(manifest);
    this.note(manifest.missing);
    return true;
  }

  /** When a document was taken: as its collector says, or the manifest of the bundle it lies in. */
  private takenAt({ name, takenAt }: Document): number | undefined {
    return takenAt ?? this.manifests.find(({ root }) => name.startsWith(root))?.takenAt;
  }

  private optionsFor(document: Document): ReadingOptions & { readonly redact: (text: string) => string } {
    const now = this.takenAt(document);
    const redact = this.redact ? (text: string) => redactLine(cleanLine(text)).text : cleanLine;
    return { redact, ...(now === undefined ? {} : { now }), ...(isComplete(document.name, now) ? { complete: true } : {}) };
  }

  private small(document: Document, bytes: Uint8Array): void {
    const { name, size } = document;
    const prepared = prepareText(bytes, name, this.redact, asPrinted);
    for (const problem of prepared.problems) this.cut(name, problem);
    this.total.lines += prepared.lines.length;
    this.total.redactions += prepared.redactions;
    if (this.held + size <= TEXTS_HELD) {
      this.texts.set(name, prepared.lines.includes(JOINED) ? prepared.lines.map((line) => (line === JOINED ? '' : line)) : prepared.lines);
      this.held += size;
    }
    this.sink.evidence.unrecognised.push(...readSmall(this.contextFor(document), prepared.lines, this.sink));
  }

  private contextFor(document: Document): Context {
    const takenAt = this.takenAt(document);
    return { ...contextOfDocument(document.name), ...(takenAt === undefined ? {} : { takenAt }) };
  }

  private async large(document: Document): Promise<void> {
    if (await startsAsObjects(document)) return this.objects(document);
    this.total.lines += await readLargeText(document, this.contextFor(document), READERS, this.lines, this.sink, this.redact);
  }

  private async objects(document: Document): Promise<void> {
    const source = (await isDump(document)) ? apartFromLogs(document, (section) => this.section(section)) : document;
    const { truncated } = await readLargeJson(source, this.sink, undefined, this.optionsFor(document));
    this.cut(document.name, truncated, document.size);
  }

  /** A container's log between the objects of a dump, read like a document of its own. */
  private async section({ context, bytes, above, cut }: DumpSection): Promise<void> {
    const sink = belowLines(this.sink, above);
    if (cut) this.cut(context.doc, `the log of ${context.pod?.slice('Pod/'.length)} is not whole`, bytes.length);
    if (bytes.length > HELD_OBJECTS) {
      const read = async function* () {
        yield bytes;
      };
      await readLargeText({ name: context.doc, size: bytes.length, read }, context, READERS, this.lines, sink, this.redact);
      return;
    }
    const { lines, redactions } = prepareText(bytes, `${context.doc}.log`, this.redact);
    this.total.redactions += redactions;
    const strange = readText(lines, context, READERS, sink);
    const moved = strange.map((one) => ({ ...one, lines: [one.lines[0] + above, one.lines[1] + above] as const }));
    this.sink.evidence.unrecognised.push(...moved);
  }

  private cut(doc: string, why: string | undefined, size?: number): void {
    if (why !== undefined) this.sink.evidence.unread.push({ doc, why, ...(size === undefined ? {} : { size }) });
  }
}

function readSmall(context: Context, lines: readonly string[], sink: ReadingSink): Unrecognised[] {
  return readText(lines, context, READERS, sink);
}

const HEAD = 64 * 1024;

/** Kubernetes objects show what they are near their beginning; log lines in JSON do not. */
async function startsAsObjects(document: Document): Promise<boolean> {
  const chunks = document.bytes ? [document.bytes] : (document.read?.() ?? []);
  for await (const chunk of chunks) {
    const head = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.length, HEAD)).toString('latin1');
    return /^\uFEFF?\s*[[{]/.test(head) && /"(?:apiVersion|items|kind)"\s*:/.test(head);
  }
  return false;
}
