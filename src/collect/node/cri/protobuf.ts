/** One field of a protobuf message: a number, or bytes for strings and messages. */
export interface Field {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

const DECODER = new TextDecoder();

/** Fields of a message in order; ends quietly where the bytes are cut or are none. */
export function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0;
  function varint(): bigint | undefined {
    let value = 0n;
    for (let shift = 0n; shift < 70n && at < bytes.length; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return undefined;
  }
  while (at < bytes.length) {
    const tag = varint();
    if (tag === undefined) return;
    const wire = Number(tag & 7n);
    const length = wire === 1 ? 8n : wire === 5 ? 4n : wire === 0 || wire === 2 ? varint() : undefined;
    if (length === undefined) return;
    const number = Number(tag >> 3n);
    if (wire === 0) {
      yield { number, value: length };
      continue;
    }
    if (length > BigInt(bytes.length - at)) return;
    const value = bytes.subarray(at, at + Number(length));
    at += Number(length);
    if (wire === 2) yield { number, value };
  }
}

/** The last value of a field, as protobuf wants it; undefined when it is not there. */
function last(bytes: Uint8Array, number: number): Field['value'] | undefined {
  let found: Field['value'] | undefined;
  for (const field of fieldsOf(bytes)) if (field.number === number) found = field.value;
  return found;
}

export function textAt(bytes: Uint8Array, number: number): string {
  const value = last(bytes, number);
  return value instanceof Uint8Array ? DECODER.decode(value) : '';
}

export function numberAt(bytes: Uint8Array, number: number): number {
  const value = last(bytes, number);
  return typeof value === 'bigint' ? Number(BigInt.asIntN(64, value)) : 0;
}

export function messageAt(bytes: Uint8Array, number: number): Uint8Array | undefined {
  const value = last(bytes, number);
  return value instanceof Uint8Array ? value : undefined;
}

export function messagesAt(bytes: Uint8Array, number: number): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (const field of fieldsOf(bytes)) if (field.number === number && field.value instanceof Uint8Array) found.push(field.value);
  return found;
}

/** A `map<string, string>`. */
export function mapAt(bytes: Uint8Array, number: number): Map<string, string> {
  return new Map(messagesAt(bytes, number).map((entry) => [textAt(entry, 1), textAt(entry, 2)]));
}
