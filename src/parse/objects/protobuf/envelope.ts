import { WireReader } from './wire.ts';

/** What a response body of Kubernetes protobuf holds: an object of this kind, between two indexes of its bytes. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly from: number;
  readonly end: number;
  /** The bytes end before the object does. */
  readonly cut: boolean;
}

const MAGIC = Buffer.from('k8s\0', 'latin1');
const TYPE = 1;
const RAW = 2;
const CONTENT_ENCODING = 3;

/** Opens the envelope that the API server puts around every object; words instead when it is none. */
export function openEnvelope(bytes: Buffer): Envelope | string {
  if (bytes.length < MAGIC.length || bytes.compare(MAGIC, 0, MAGIC.length, 0, MAGIC.length) !== 0) return 'is no Kubernetes protobuf';
  const wire = new WireReader();
  wire.begin(bytes, MAGIC.length);
  let type = { apiVersion: '', kind: '' };
  let raw: { from: number; end: number; cut: boolean } | undefined;
  while (wire.next(bytes.length)) {
    if (wire.field === RAW) {
      raw = rawPart(wire, bytes.length);
      wire.at = raw.end;
    } else if (wire.field === TYPE) type = typeIn(wire, bytes.length);
    else {
      const { field, at } = wire;
      wire.skip(bytes.length);
      if (field === CONTENT_ENCODING && wire.at > at + 1) return 'is encoded in a way that is not read here';
    }
  }
  if (raw === undefined || type.kind === '') return 'ends before it says what it is';
  return { ...type, ...raw };
}

/** A body that was cut off still shows the objects before the cut. */
function rawPart(wire: WireReader, end: number): { from: number; end: number; cut: boolean } {
  const start = wire.at;
  const given = wire.valueEnd(end);
  if (!wire.broken) return { from: wire.at, end: given, cut: false };
  let from = start;
  while (from < end && from < start + 5 && (wire.bytes[from] as number) >= 128) from++;
  return { from: Math.min(from + 1, end), end, cut: true };
}

function typeIn(wire: WireReader, end: number): { apiVersion: string; kind: string } {
  const inner = wire.valueEnd(end);
  let apiVersion = '';
  let kind = '';
  while (wire.next(inner)) {
    const number = wire.field;
    const to = wire.valueEnd(inner);
    if (number === 1) apiVersion = wire.bytes.toString('utf8', wire.at, Math.min(to, wire.at + 200));
    else if (number === 2) kind = wire.bytes.toString('utf8', wire.at, Math.min(to, wire.at + 200));
    wire.at = to;
  }
  return { apiVersion, kind };
}
