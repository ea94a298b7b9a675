import type { Document } from '../../model/document.ts';
import { podId } from '../../model/entity.ts';
import type { Context, Saying } from '../../model/reading.ts';
import { type DumpMarker, parseDumpMarker } from '../objects/paths.ts';
import type { EvidenceSink } from '../scan/evidence-sink.ts';
import { countNewlines } from '../scan/newlines.ts';
import { shifted } from '../segment.ts';

/** The log of one container, as it stands between the objects of a dump. */
export interface DumpSection {
  readonly context: Context;
  readonly bytes: Buffer;
  /** How many lines of the dump stand above its first. */
  readonly above: number;
  /** Its end is missing, or it was too large to be held. */
  readonly cut: boolean;
}

const START = Buffer.from('==== START logs for container ');
const END = Buffer.from('==== END logs for container ');
const LONGEST_MARK = 700;
const MOST_HELD = 64 << 20;
const NEWLINE = 10;

/** `kubectl cluster-info dump` prints the nodes first, then everything else, logs included. */
export async function isDump(document: Document): Promise<boolean> {
  for await (const chunk of chunksOf(document)) {
    const head = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.length, 400)).toString('latin1');
    return /^\uFEFF?\s*\{\s*"(?:kind"\s*:\s*"NodeList"|apiVersion"[^\n]{1,40}\s*"kind"\s*:\s*"NodeList"|metadata"\s*:)/.test(head);
  }
  return false;
}

/** The same document without the logs in it; each is handed over when it is complete. */
export function apartFromLogs(document: Document, take: (section: DumpSection) => Promise<void>): Document {
  const { name, size } = document;
  return { name, size, read: () => objectsOf(document, take) };
}

async function* objectsOf(document: Document, take: (section: DumpSection) => Promise<void>): AsyncIterable<Uint8Array> {
  const parting = new Parting(document.name);
  for await (const chunk of chunksOf(document)) {
    const { objects, sections } = parting.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    yield* objects;
    for (const section of sections) await take(section);
  }
  const { objects, sections } = parting.finish();
  yield* objects;
  for (const section of sections) await take(section);
}

async function* chunksOf(document: Document): AsyncIterable<Uint8Array> {
  if (document.bytes) yield document.bytes;
  else if (document.read) yield* document.read();
}

interface Parted {
  readonly objects: Buffer[];
  readonly sections: DumpSection[];
}

/** Cuts bytes at the marks; one pass, holding the log it is in. */
class Parting {
  private readonly doc: string;
  private rest: Buffer = Buffer.alloc(0);
  private open: { readonly marker: DumpMarker; readonly parts: Buffer[]; readonly above: number; held: number; cut: boolean } | undefined;
  private lines = 0;

  constructor(doc: string) {
    this.doc = doc;
  }

  push(chunk: Buffer): Parted {
    return this.part(Buffer.concat([this.rest, chunk]), false);
  }

  finish(): Parted {
    const parted = this.part(this.rest, true);
    if (this.open) {
      this.open.cut = true;
      this.close(parted);
    }
    return parted;
  }

  private part(bytes: Buffer, isLast: boolean): Parted {
    const parted: Parted = { objects: [], sections: [] };
    let at = 0;
    for (;;) {
      const mark = this.nextMark(bytes, at, isLast);
      this.pass(bytes.subarray(at, mark.from), parted);
      at = mark.from;
      if (mark.to === undefined) break;
      if (this.open) this.close(parted);
      else if (mark.marker) this.open = { marker: mark.marker, parts: [], above: this.lines + 1, held: 0, cut: false };
      this.lines++;
      at = mark.to;
    }
    this.rest = isLast ? Buffer.alloc(0) : Buffer.from(bytes.subarray(at));
    return parted;
  }

  /** Where the next mark begins and ends; without one, up to where all can be passed on. */
  private nextMark(bytes: Buffer, at: number, isLast: boolean): { from: number; to?: number; marker?: DumpMarker } {
    const words = this.open ? END : START;
    for (let from = bytes.indexOf(words, at); from >= 0; from = bytes.indexOf(words, from + 1)) {
      const newline = bytes.indexOf(NEWLINE, from);
      if (newline < 0 && !isLast && bytes.length - from < LONGEST_MARK) return { from };
      const to = newline < 0 ? bytes.length : newline + 1;
      const marker = from === 0 || bytes[from - 1] === NEWLINE ? parseDumpMarker(textOf(bytes, from, to)) : undefined;
      if (marker && this.fits(marker)) return { from, to, marker };
    }
    // The mark may begin in what is here and go on in what is to come; the byte before it tells a line's start.
    return { from: isLast ? bytes.length : Math.max(at, bytes.length - words.length - 1) };
  }

  private fits({ type, namespace, pod, container }: DumpMarker): boolean {
    if (!this.open) return type === 'start';
    const { marker } = this.open;
    return type === 'end' && marker.namespace === namespace && marker.pod === pod && marker.container === container;
  }

  private pass(bytes: Buffer, parted: Parted): void {
    if (bytes.length === 0) return;
    this.lines += countNewlines(bytes, 0, bytes.length);
    const { open } = this;
    if (!open) parted.objects.push(bytes);
    else if (open.held + bytes.length > MOST_HELD) open.cut = true;
    else {
      open.parts.push(bytes);
      open.held += bytes.length;
    }
  }

  private close(parted: Parted): void {
    const { open } = this;
    if (!open) return;
    this.open = undefined;
    const { namespace, pod, container } = open.marker;
    const context: Context = { doc: this.doc, channel: 'container-log', namespace, pod: podId(namespace, pod), container };
    parted.sections.push({ context, bytes: Buffer.concat(open.parts), above: open.above, cut: open.cut });
  }
}

function textOf(bytes: Buffer, from: number, to: number): string {
  return bytes
    .subarray(from, Math.min(to, from + LONGEST_MARK))
    .toString('latin1')
    .replace(/\r?\n$/, '');
}

/** What is read from a section cites the lines of the dump. */
export function belowLines(sink: EvidenceSink, above: number): EvidenceSink {
  const moved = shifted(sink, above);
  return {
    ...moved,
    evidence: sink.evidence,
    dropped: sink.dropped,
    said: (saying: Saying) => sink.said({ ...saying, cited: shiftedCitation(saying.cited, above) }),
    again: (said, times, when) => sink.again(said, times, when),
  };
}

function shiftedCitation(cited: Saying['cited'], by: number): Saying['cited'] {
  const { lines } = cited.at;
  return lines === undefined ? cited : { ...cited, at: { ...cited.at, lines: [lines[0] + by, lines[1] + by] } };
}
