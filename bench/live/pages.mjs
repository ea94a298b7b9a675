// Lists of the bench's cluster as an API server answers them, page by page, in JSON and in protobuf.
import { stamp } from './template.mjs';
import { bytesField, envelope, envelopeEnd, itemHead, message } from './wire.mjs';

const RESOURCE_VERSION = '500000000';

const tokenOf = (start) => Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: Number(RESOURCE_VERSION), start })).toString('base64url');
const startOf = (token) => (token ? JSON.parse(Buffer.from(token, 'base64url').toString()).start : 0);

/** Indexes of the objects in one namespace. */
function indexesIn(kind, namespace) {
  kind.byNamespace ??= new Map();
  if (!kind.byNamespace.has(namespace)) {
    const found = [];
    for (let index = 0; index < kind.count; index++) if (kind.namespaceOf(index) === namespace) found.push(index);
    kind.byNamespace.set(namespace, found);
  }
  return kind.byNamespace.get(namespace);
}

/** @param {{ namespace?: string, limit: number, continued?: string }} asked */
function pageOf(kind, { namespace, limit, continued }) {
  const own = namespace === undefined ? undefined : indexesIn(kind, namespace);
  const count = own?.length ?? kind.count;
  const start = startOf(continued);
  const end = limit > 0 ? Math.min(count, start + limit) : count;
  const metadata = {
    resourceVersion: RESOURCE_VERSION,
    ...(end < count ? { continue: tokenOf(end), remainingItemCount: count - end } : {}),
  };
  const indexes = Array.from({ length: end - start }, (_, offset) => (own ? own[start + offset] : start + offset));
  return { indexes, metadata };
}

function jsonPage(kind, indexes, metadata) {
  const head = Buffer.from(`{"kind":"${kind.kind}List","apiVersion":"${kind.group}","metadata":${JSON.stringify(metadata)},"items":[`);
  const tail = Buffer.from(']}\n');
  const templates = indexes.map((index) => kind.templateOf(index).json);
  const body = Buffer.allocUnsafe(templates.reduce((sum, { bytes }) => sum + bytes.length + 1, head.length + tail.length));
  let at = head.copy(body);
  for (const [position, index] of indexes.entries()) {
    if (position > 0) body[at++] = 0x2c;
    at = stamp(templates[position], kind.valuesOf(index), body, at);
  }
  at += tail.copy(body, at);
  return body.subarray(0, at);
}

function protobufPage(kind, indexes, metadata) {
  const head = bytesField(1, message('ListMeta', metadata));
  const templates = indexes.map((index) => kind.templateOf(index).protobuf);
  const heads = templates.map(({ bytes }) => itemHead(bytes.length));
  const length = templates.reduce((sum, { bytes }, position) => sum + bytes.length + heads[position].length, head.length);
  const before = envelope(kind.group, `${kind.kind}List`, length);
  const body = Buffer.allocUnsafe(before.length + length + envelopeEnd.length);
  let at = before.copy(body);
  at += head.copy(body, at);
  for (const [position, index] of indexes.entries()) {
    at += heads[position].copy(body, at);
    at = stamp(templates[position], kind.valuesOf(index), body, at);
  }
  envelopeEnd.copy(body, at);
  return body;
}

export function listPage(kind, asked, protobuf) {
  const { indexes, metadata } = pageOf(kind, asked);
  return protobuf ? protobufPage(kind, indexes, metadata) : jsonPage(kind, indexes, metadata);
}

/** An object as etcd holds it. */
export function storedObject(kind, index) {
  const template = kind.templateOf(index).protobuf;
  const before = envelope(kind.group, kind.kind, template.bytes.length);
  const body = Buffer.allocUnsafe(before.length + template.bytes.length + envelopeEnd.length);
  const end = stamp(template, kind.valuesOf(index), body, before.copy(body));
  envelopeEnd.copy(body, end);
  return body;
}

export function indexOf(kind, namespace, name) {
  const candidates = kind.namespaceOf ? indexesIn(kind, namespace) : Array.from({ length: kind.count }, (_, index) => index);
  return candidates.find((index) => kind.nameOf(index) === name);
}

/** One object in JSON, with its type as a single answer has it. */
export function oneObject(kind, index) {
  const { json } = kind.templateOf(index);
  const body = Buffer.alloc(json.bytes.length);
  stamp(json, kind.valuesOf(index), body, 0);
  return { kind: kind.kind, apiVersion: kind.group, ...JSON.parse(body.toString()) };
}
