import type { Document, Page } from '../../model/document.ts';
import type { ReadingSink } from '../../model/reading.ts';
import { JsonSplitter } from './json-splitter.ts';
import { type LargeJson, Pieces } from './large-json.ts';
import { ObjectReading, type ReadingOptions } from './object-reading.ts';
import { ProtobufLists } from './protobuf/list-reader.ts';

export interface PagesRead extends LargeJson {
  readonly bytes: number;
}

const NOTES = 4;

/** Reads a list as an API server gave it, page by page, as one document: one clock, one coverage, items counted through. */
export async function readPages(
  document: Document,
  sink: ReadingSink,
  options: ReadingOptions = {},
  onProgress?: (bytes: number) => void,
): Promise<PagesRead> {
  const { takenAt } = document;
  const reading = new ObjectReading(document.name, sink, { ...options, ...(takenAt === undefined ? {} : { now: takenAt }) });
  const pages = new Pages(reading);
  for await (const page of had(document, pages)) {
    pages.read(page);
    onProgress?.(pages.bytes);
  }
  const missing = pages.finish();
  reading.finish(missing.length === 0);
  return { objects: reading.objects, bytes: pages.bytes, ...(missing.length > 0 ? { truncated: missing.join('; ') } : {}) };
}

/** A page that is not to be had ends the list; those before it count. */
async function* had(document: Document, pages: Pages): AsyncIterable<Page> {
  try {
    yield* document.pages?.() ?? [];
  } catch (error) {
    pages.failure = error instanceof Error && error.message !== '' ? error.message : 'the next page could not be had';
  }
}

class Pages {
  private readonly reading: ObjectReading;
  private readonly pieces: Pieces;
  private readonly protobuf: ProtobufLists;
  private splitter: JsonSplitter;
  private readonly notes: string[] = [];
  private noted = 0;
  private foreign = 0;
  private items = 0;
  private continues = false;
  private count = 0;
  bytes = 0;
  /** Why the pages ended early. */
  failure: string | undefined;

  constructor(reading: ObjectReading) {
    this.reading = reading;
    this.pieces = new Pieces(reading);
    this.protobuf = new ProtobufLists(reading);
    this.splitter = new JsonSplitter(this.pieces);
  }

  read(page: Page): void {
    this.count++;
    this.bytes += page.bytes.length;
    this.continues = false;
    const problem = page.encoding === 'json' ? this.readJson(page.bytes) : this.readProtobuf(page.bytes);
    if (problem !== undefined && ++this.noted <= NOTES) this.notes.push(`page ${this.count} ${problem}`);
  }

  finish(): string[] {
    const { failure } = this;
    const more = this.continues && failure === undefined ? `the list goes on after ${this.items} items` : undefined;
    const untold = this.noted > NOTES ? `and ${this.noted - NOTES} more pages` : undefined;
    const problems = [...this.pieces.problems(this.foreign + this.splitter.foreign), ...this.protobuf.problems()];
    const why = failure === undefined ? undefined : this.reading.clean(failure);
    return [...this.notes, untold, ...problems, more, why].filter((text) => text !== undefined);
  }

  private readJson(bytes: Uint8Array): string | undefined {
    this.splitter.first = this.items;
    this.splitter.continues = false;
    this.splitter.push(bytes);
    const problem = this.splitter.finish();
    this.items = Math.max(this.items, this.splitter.items);
    this.continues = this.splitter.continues;
    if (problem !== undefined) {
      this.foreign += this.splitter.foreign;
      this.splitter = new JsonSplitter(this.pieces);
    }
    return problem;
  }

  private readProtobuf(bytes: Uint8Array): string | undefined {
    this.protobuf.items = this.items;
    this.protobuf.continues = false;
    const problem = this.protobuf.read(bytes);
    this.items = this.protobuf.items;
    this.continues = this.protobuf.continues;
    return problem;
  }
}
