import { Buffer } from 'node:buffer';
import { type Numbered, type Plain, POD, type Spec } from './testing-messages.ts';

export { POD };

type Value = Readonly<Record<string, unknown>>;

/** JSON has the members of these in the message around them. */
const INLINE: ReadonlySet<string> = new Set(['handler', 'volumeSource', 'localObjectReference']);

function varint(value: number): number[] {
  if (value >= 0 && value < 128) return [value];
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

function delimited(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(content.length)]), content]);
}

function integer(number: number, value: number): Buffer {
  return Buffer.from([...varint(number * 8), ...varint(value)]);
}

export function encode(value: Value, spec: Spec): Buffer {
  const parts = Object.entries(spec)
    .sort(([, a], [, b]) => a.number - b.number)
    .flatMap(([name, field]) => encodeField(INLINE.has(name) ? value : value[name], field));
  return Buffer.concat(parts);
}

function encodeField(value: unknown, { number, as, always: written }: Numbered): Buffer[] {
  if (Array.isArray(as)) return asList(value).map((item) => delimited(number, encode(item as Value, as[0] as Spec)));
  if (typeof as === 'object') return value || written ? [delimited(number, encode((value ?? {}) as Value, as as Spec))] : [];
  if (as === 'strings') return asList(value).map((item) => delimited(number, Buffer.from(String(item))));
  if (as === 'map' || as === 'quantities') return mapEntries(value, as === 'map').map((entry) => delimited(number, entry));
  if ((value === undefined || value === null) && !written) return [];
  return [encodePlain(value, number, as as Plain)];
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function mapEntries(value: unknown, plain: boolean): Buffer[] {
  return Object.entries((value ?? {}) as Value).map(([key, item]) => {
    const text = Buffer.from(String(item));
    return Buffer.concat([delimited(1, Buffer.from(key)), delimited(2, plain ? text : delimited(1, text))]);
  });
}

function encodePlain(value: unknown, number: number, as: Plain): Buffer {
  switch (as) {
    case 'int':
      return integer(number, Number(value ?? 0));
    case 'bool':
      return integer(number, value === true ? 1 : 0);
    case 'time':
    case 'micro':
      return delimited(number, timestamp(value));
    case 'port':
      return delimited(number, Buffer.concat([integer(1, typeof value === 'number' ? 0 : 1), portValue(value)]));
    default:
      return delimited(number, Buffer.from(String(value ?? '')));
  }
}

function portValue(value: unknown): Buffer {
  const isNumber = typeof value === 'number';
  return Buffer.concat([integer(2, isNumber ? value : 0), delimited(3, Buffer.from(isNumber ? '' : String(value ?? '')))]);
}

/** Go's zero time has no bytes. */
function timestamp(value: unknown): Buffer {
  if (typeof value !== 'string' || value.startsWith('0001-')) return Buffer.alloc(0);
  const milliseconds = Date.parse(value);
  const seconds = Math.floor(milliseconds / 1000);
  return Buffer.concat([integer(1, seconds), integer(2, (milliseconds - seconds * 1000) * 1e6)]);
}

/** A list as a response body: the items of a page in the envelope of the API server. */
export function page(kind: string, apiVersion: string, items: readonly Uint8Array[], continues = ''): Buffer {
  const meta = Buffer.concat([delimited(1, Buffer.alloc(0)), delimited(2, Buffer.from('4711')), delimited(3, Buffer.from(continues))]);
  const list = Buffer.concat([delimited(1, meta), ...items.map((item) => delimited(2, item))]);
  return envelope(kind, apiVersion, list);
}

export function envelope(kind: string, apiVersion: string, raw: Uint8Array): Buffer {
  const type = Buffer.concat([delimited(1, Buffer.from(apiVersion)), delimited(2, Buffer.from(kind))]);
  const empty = Buffer.alloc(0);
  return Buffer.concat([Buffer.from('k8s\0'), delimited(1, type), delimited(2, raw), delimited(3, empty), delimited(4, empty)]);
}
