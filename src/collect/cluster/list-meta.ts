import { fieldOf, textField, unwrapped } from './wire.ts';

/** What a page says about the pages after it. */
export interface ListMeta {
  /** Token of the next page; empty at the end. */
  readonly next: string;
  /** Objects on later pages, where the server counts them. */
  readonly remaining?: number;
}

const END: ListMeta = { next: '' };
const LONGEST_TAIL = 64 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Lists have their metadata as their first field, so nothing of the items is touched. */
export function metaOfProtobuf(page: Uint8Array): ListMeta | undefined {
  const list = unwrapped(page);
  if (!list) return undefined;
  const meta = fieldOf(list, 1)?.bytes;
  if (!meta) return END;
  const remaining = fieldOf(meta, 4)?.value;
  return { next: textField(meta, 3), ...(remaining !== undefined ? { remaining } : {}) };
}

/** Typed lists write their metadata before the items, others (sorted keys) after them; only neither costs a full parse. */
export function metaOfJson(page: Uint8Array): ListMeta | undefined {
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  const front = metadataInFront(bytes);
  if (front !== undefined) return asMeta(front);
  const behind = metadataBehind(bytes);
  if (behind !== undefined) return asMeta(behind);
  const whole = parsed(bytes.toString());
  return isRecord(whole) ? asMeta(whole['metadata']) : undefined;
}

function metadataInFront(bytes: Buffer): unknown {
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== 0x7b) return undefined;
  at++;
  // kind, apiVersion, metadata: anything further down is not worth looking for from this end.
  for (let member = 0; member < 3; member++) {
    at = skipSpace(bytes, at);
    const keyEnd = endOfString(bytes, at);
    if (keyEnd < 0) return undefined;
    const key = bytes.toString('latin1', at + 1, keyEnd - 1);
    at = skipSpace(bytes, skipSpace(bytes, keyEnd) + 1);
    if (key === 'metadata') return parsed(bytes.toString('utf8', at, endOfObject(bytes, at)));
    const valueEnd = endOfString(bytes, at);
    if (valueEnd < 0) return undefined;
    at = skipSpace(bytes, valueEnd) + 1;
  }
  return undefined;
}

/** The last `"metadata"` belongs to the list if and only if what begins there closes exactly the list. */
function metadataBehind(bytes: Buffer): unknown {
  const at = bytes.lastIndexOf('"metadata"');
  if (at < 0 || bytes.length - at > LONGEST_TAIL) return undefined;
  const tail = parsed(`{${bytes.toString('utf8', at)}`);
  return isRecord(tail) ? tail['metadata'] : undefined;
}

function asMeta(metadata: unknown): ListMeta {
  if (!isRecord(metadata)) return END;
  const next = metadata['continue'];
  const remaining = metadata['remainingItemCount'];
  return { next: typeof next === 'string' ? next : '', ...(typeof remaining === 'number' ? { remaining } : {}) };
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

/** One past the closing quote, or -1 where no string is. */
function endOfString(bytes: Buffer, from: number): number {
  if (bytes[from] !== QUOTE) return -1;
  for (let at = from + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at + 1;
  }
  return -1;
}

function endOfObject(bytes: Buffer, from: number): number {
  let depth = 0;
  const last = Math.min(bytes.length, from + LONGEST_TAIL);
  for (let at = from; at < last; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      if (end < 0) return from;
      at = end - 1;
    } else if (byte === 0x7b) depth++;
    else if (byte === 0x7d && --depth === 0) return at + 1;
  }
  return from;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
