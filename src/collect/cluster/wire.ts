/** The little of protobuf that is needed to find one field among others without reading them. */
export interface Field {
  readonly number: number;
  /** Of a length-delimited field; empty for others. */
  readonly bytes: Uint8Array;
  /** Of a varint field; 0 for others. */
  readonly value: number;
}

const NOTHING = new Uint8Array(0);

/** Top-level fields in order; ends quietly where the bytes are not protobuf. */
export function* fieldsOf(message: Uint8Array): Generator<Field> {
  let at = 0;
  while (at < message.length) {
    const tag = varint(message, at);
    if (!tag) return;
    at = tag.next;
    const number = Math.floor(tag.value / 8);
    const kind = tag.value % 8;
    if (kind === 0) {
      const read = varint(message, at);
      if (!read) return;
      at = read.next;
      yield { number, bytes: NOTHING, value: read.value };
    } else if (kind === 2) {
      const length = varint(message, at);
      if (!length || length.next + length.value > message.length) return;
      at = length.next + length.value;
      yield { number, bytes: message.subarray(length.next, at), value: 0 };
    } else if (kind === 1 || kind === 5) {
      at += kind === 1 ? 8 : 4;
    } else return;
  }
}

export function fieldOf(message: Uint8Array, number: number): Field | undefined {
  for (const field of fieldsOf(message)) if (field.number === number) return field;
  return undefined;
}

export function textField(message: Uint8Array, number: number): string {
  return new TextDecoder().decode(fieldOf(message, number)?.bytes ?? NOTHING);
}

function varint(bytes: Uint8Array, from: number): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  let scale = 1;
  for (let at = from; at < from + 10; at++) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return Number.isSafeInteger(value) ? { value, next: at + 1 } : { value: 0, next: at + 1 };
    scale *= 128;
  }
  return undefined;
}

/** `k8s\0`, which begins every Kubernetes object in protobuf. */
const MAGIC = [0x6b, 0x38, 0x73, 0x00];

export function isEnveloped(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, at) => bytes[at] === byte);
}

/** The object inside the `Unknown` envelope: its second field. */
export function unwrapped(bytes: Uint8Array): Uint8Array | undefined {
  return isEnveloped(bytes) ? fieldOf(bytes.subarray(MAGIC.length), 2)?.bytes : undefined;
}
