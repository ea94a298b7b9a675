import type { Document } from '../model/document.ts';
import type { Evidence, LineSpec, Unrecognised } from '../model/evidence.ts';
import type { BlockReader, Context, ReadingSink } from '../model/reading.ts';
import { contextOfFile } from './context.ts';
import { hostReaders } from './host/index.ts';
import { kubectlTextReaders } from './kubectl-text/index.ts';
import { logReader } from './logs/log-reader.ts';
import { jsonReader } from './objects/json-reader.ts';
import { readLargeJson } from './objects/large-json.ts';
import { contextOfPath } from './objects/paths.ts';
import { yamlReader } from './objects/yaml-reader.ts';
import { readLargeText } from './read-large-text.ts';
import { createEvidenceSink } from './scan/evidence-sink.ts';
import { createScanner } from './scan/scanner.ts';
import { readText } from './segment.ts';
import { cleanLine } from './text/clean.ts';
import { prepareText } from './text/prepare.ts';
import { redactLine } from './text/redact.ts';

export interface ReadDocuments {
  readonly evidence: Evidence;
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly documents: number;
  readonly lines: number;
  readonly bytes: number;
  readonly redactions: number;
}

interface Options {
  readonly redact?: boolean;
  readonly onProgress?: (progress: { readonly doc: string; readonly bytes: number }) => void;
}

/** Documents above this are streamed, and only their cited lines are kept. */
const TEXTS_HELD = 64 * 1024 * 1024;

/** Above this, objects are taken apart one by one even when the document is held. */
const HELD_OBJECTS = 2 * 1024 * 1024;

/** The most particular first: a describe holds tables, a table looks like text. */
const READERS: readonly BlockReader[] = [...kubectlTextReaders, ...hostReaders, jsonReader, yamlReader, logReader];

export async function readDocuments(
  documents: AsyncIterable<Document>,
  lines: readonly LineSpec[],
  options: Options,
): Promise<ReadDocuments> {
  const scanner = createScanner(lines);
  const sink = createEvidenceSink(scanner);
  const texts = new Map<string, readonly string[]>();
  const total = { documents: 0, lines: 0, bytes: 0, redactions: 0, held: 0 };
  for await (const document of documents) {
    total.documents++;
    total.bytes += document.size;
    options.onProgress?.({ doc: document.name, bytes: document.size });
    if (document.bytes === undefined || (document.size > HELD_OBJECTS && (await startsAsObjects(document)))) {
      total.lines += await readLarge(document, lines, sink, options);
      continue;
    }
    const prepared = prepareText(document.bytes, document.name, options.redact ?? true);
    for (const problem of prepared.problems) sink.evidence.unread.push({ doc: document.name, why: problem });
    total.lines += prepared.lines.length;
    total.redactions += prepared.redactions;
    if (total.held + document.size <= TEXTS_HELD) {
      texts.set(document.name, prepared.lines);
      total.held += document.size;
    }
    sink.evidence.unrecognised.push(...readSmall(document.name, prepared.lines, sink));
  }
  return { evidence: sink.evidence, texts, ...total };
}

function readSmall(name: string, lines: readonly string[], sink: ReadingSink): Unrecognised[] {
  return readText(lines, contextFor(name), READERS, sink);
}

export function contextFor(name: string): Context {
  return { doc: name, ...contextOfFile(name), ...contextOfPath(name) };
}

async function readLarge(
  document: Document,
  lines: readonly LineSpec[],
  sink: ReturnType<typeof createEvidenceSink>,
  options: Options,
): Promise<number> {
  if (await startsAsObjects(document)) {
    const redact = (options.redact ?? true) ? (text: string) => redactLine(cleanLine(text)).text : cleanLine;
    const { truncated } = await readLargeJson(document, sink, undefined, { redact });
    if (truncated) sink.evidence.unread.push({ doc: document.name, why: truncated, size: document.size });
    return 0;
  }
  return readLargeText(document, contextFor(document.name), READERS, lines, sink, options.redact ?? true);
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
