/** Just enough of a protobuf writer for test servers. */
export function field(number: number, content: string | Uint8Array | number): Buffer {
  if (typeof content === 'number') return Buffer.concat([varint(number * 8), varint(content)]);
  const bytes = Buffer.from(content);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  while (left > 127) {
    bytes.push((left % 128) + 128);
    left = Math.floor(left / 128);
  }
  return Buffer.from([...bytes, left]);
}

/** The `Unknown` message with its magic number, as API servers send it. */
export function envelope(apiVersion: string, kind: string, raw: Uint8Array): Buffer {
  const type = Buffer.concat([field(1, apiVersion), field(2, kind)]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, raw), field(3, ''), field(4, '')]);
}

export function listMessage(items: readonly Uint8Array[], next = '', remaining?: number): Buffer {
  const meta = Buffer.concat([field(1, ''), field(2, '4711'), field(3, next), ...(remaining === undefined ? [] : [field(4, remaining)])]);
  return Buffer.concat([field(1, meta), ...items.map((item) => field(2, item))]);
}

export function statusMessage({
  message,
  reason,
  next = '',
}: {
  readonly message: string;
  readonly reason: string;
  readonly next?: string;
}): Buffer {
  return Buffer.concat([
    field(1, Buffer.concat([field(1, ''), field(2, ''), field(3, next)])),
    field(2, 'Failure'),
    field(3, message),
    field(4, reason),
    field(6, 410),
  ]);
}
