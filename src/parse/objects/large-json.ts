import type { Document } from '../../model/document.ts';
import type { ReadingSink } from '../../model/reading.ts';
import type { ListManner, Skimmer } from './item-skim.ts';
import { JsonSplitter } from './json-splitter.ts';
import { readItem, readObject } from './object-facts.ts';
import { ObjectReading, type ReadingOptions } from './object-reading.ts';
import { PodSkim } from './skim-pod.ts';
import { skimmedPodFacts } from './skimmed-pod.ts';
import type { SplitterTarget } from './splitter-target.ts';

export interface LargeJson {
  /** Objects read, items of lists each counted. */
  readonly objects: number;
  /** What could not be read, in words; absent when all was. */
  readonly truncated?: string;
}

/** Reads a JSON document of any size object by object, holding one at a time. */
export async function readLargeJson(
  doc: Document,
  sink: ReadingSink,
  onProgress?: (bytes: number) => void,
  options: ReadingOptions = {},
): Promise<LargeJson> {
  const reading = new ObjectReading(doc.name, sink, options);
  const pieces = new Pieces(reading);
  const splitter = new JsonSplitter(pieces);
  let bytes = 0;
  for await (const chunk of chunksOf(doc)) {
    splitter.push(chunk);
    bytes += chunk.length;
    onProgress?.(bytes);
  }
  const missing = [splitter.finish(), ...pieces.problems(splitter.foreign)].filter((text) => text !== undefined);
  reading.finish(missing.length === 0);
  return { objects: reading.objects, ...(missing.length > 0 ? { truncated: missing.join('; ') } : {}) };
}

/** Documents held in memory come in parts too, since a string of a whole one may be more than an engine allows. */
async function* chunksOf(doc: Document): AsyncIterable<Uint8Array> {
  if (doc.bytes) {
    const size = 1 << 20;
    for (let at = 0; at < doc.bytes.length; at += size) yield doc.bytes.subarray(at, at + size);
  } else if (doc.read) yield* doc.read();
}

/** Healthy pods of a list are not parsed; the first ones are, since their ids are kept too. */
class PodSkimmer implements Skimmer {
  private readonly reading: ObjectReading;
  private pod: PodSkim | undefined;
  reached = 0;

  constructor(reading: ObjectReading) {
    this.reading = reading;
  }

  skim(bytes: Buffer, from: number, end: number, list: ListManner): number {
    const { reading } = this;
    this.reached = from;
    if (reading.namesPods || (list.kind !== undefined && list.kind !== 'List' && list.kind !== 'PodList')) return -1;
    this.pod ??= new PodSkim(reading.options.namespace);
    const after = this.pod.read(bytes, from, end, list, reading.clock.newestText);
    this.reached = this.pod.reached;
    return after;
  }

  keep(pointer: string): void {
    if (this.pod) skimmedPodFacts(this.reading, this.pod, pointer);
  }
}

/** Reads the objects that a splitter cuts out. */
export class Pieces implements SplitterTarget {
  readonly skimmer: Skimmer;
  private readonly reading: ObjectReading;
  private invalid = 0;
  private large = 0;

  constructor(reading: ObjectReading) {
    this.reading = reading;
    this.skimmer = new PodSkimmer(reading);
  }

  item(text: string, pointer: string, listKind: string | undefined): boolean {
    const value = parsed(text);
    if (value === undefined) return false;
    readItem(this.reading, value, pointer, listKind);
    return true;
  }

  object(text: string): void {
    const value = parsed(text);
    if (value === undefined) this.invalid++;
    else readObject(this.reading, value, '');
  }

  broken(): void {
    this.invalid++;
  }

  skipped(): void {
    this.large++;
  }

  problems(foreign: number): (string | undefined)[] {
    return [
      this.invalid > 0 ? `${this.invalid} objects are not valid JSON` : undefined,
      this.large > 0 ? `${this.large} objects larger than 64 MB were passed over` : undefined,
      foreign > 0 ? `${foreign} bytes between the objects are no JSON` : undefined,
    ];
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
