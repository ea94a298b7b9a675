// Objects as Kubernetes protobuf, independent of the reader that is measured.
import { FIELDS } from './fields.mjs';

function varint(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

const number = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
export const bytesField = (field, value) => Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
const text = (field, value) => bytesField(field, Buffer.from(value));

function moment(value) {
  if (value === null) return Buffer.alloc(0);
  const milliseconds = Date.parse(value);
  return Buffer.concat([number(1, Math.floor(milliseconds / 1000)), number(2, (milliseconds % 1000) * 1e6)]);
}

const SCALARS = {
  string: text,
  int: number,
  bool: (field, value) => number(field, value ? 1 : 0),
  Time: (field, value) => bytesField(field, moment(value)),
  MicroTime: (field, value) => bytesField(field, moment(value)),
  Quantity: (field, value) => bytesField(field, text(1, value)),
  FieldsV1: (field, value) => bytesField(field, text(1, JSON.stringify(value))),
  IntOrString: (field, value) =>
    bytesField(
      field,
      typeof value === 'number'
        ? Buffer.concat([number(1, 0), number(2, value), text(3, '')])
        : Buffer.concat([number(1, 1), number(2, 0), text(3, value)]),
    ),
};

const one = (field, type, value) => (SCALARS[type] ? SCALARS[type](field, value) : bytesField(field, message(type, value)));

const mapEntries = (field, type, value) =>
  Object.keys(value)
    .sort()
    .map((key) => bytesField(field, Buffer.concat([text(1, key), one(2, type, value[key])])));

/** One message; a key that its table lacks is an error, since it would be missing on the wire only. */
export function message(type, object) {
  const parts = [];
  const left = new Set(Object.keys(object));
  for (const { key, number: field, how, type: inner } of FIELDS.get(type)) {
    if (how === '<') {
      const own = FIELDS.get(inner).filter((embedded) => object[embedded.key] !== undefined);
      for (const embedded of own) left.delete(embedded.key);
      parts.push(bytesField(field, message(inner, Object.fromEntries(own.map((embedded) => [embedded.key, object[embedded.key]])))));
      continue;
    }
    left.delete(key);
    const value = object[key];
    if (value === undefined || (value === null && how !== '')) continue;
    if (how === '{}') parts.push(...mapEntries(field, inner, value));
    else if (how === '[]') parts.push(...value.map((element) => one(field, inner, element)));
    else parts.push(one(field, inner, value));
  }
  if (left.size > 0) throw new Error(`${type} has no field ${[...left].join(', ')}`);
  return Buffer.concat(parts);
}

/** What stands before a message in answers and in etcd: the magic number and the start of `Unknown`, whose last field is left open. */
export function envelope(apiVersion, kind, length) {
  const type = Buffer.concat([text(1, apiVersion), text(2, kind)]);
  return Buffer.concat([Buffer.from('k8s\0'), bytesField(1, type), varint(2 * 8 + 2), varint(length)]);
}

/** After the message: no encoding, no content type, both written out as servers do. */
export const envelopeEnd = Buffer.from([0x1a, 0, 0x22, 0]);

export const itemHead = (length) => Buffer.concat([varint(2 * 8 + 2), varint(length)]);
