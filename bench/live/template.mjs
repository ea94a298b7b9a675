// Objects as bytes, made once with marks of fixed width for what differs from object to object, and stamped at little cost.
import { message } from './wire.mjs';

const WIDTHS = { A: 5, T: 4, S: 5, U: 36, O: 36, D: 36, C: 64, W: 5, I: 14, J: 12, K: 13, V: 9, H: 10, X: 16 };

/** The place of a value that `stamp` fills in; with a row, of one of several things the object speaks of. */
export const mark = (key, row) => `~${key}${row === undefined ? '' : String.fromCharCode(65 + row)}`.padEnd(WIDTHS[key], '~');

function marksOf(bytes) {
  const places = [];
  for (let at = bytes.indexOf('~'); at >= 0; at = bytes.indexOf('~', at)) {
    const key = String.fromCharCode(bytes[at + 1]);
    const row = bytes[at + 2] - 65;
    places.push({ at, key, row: row < 26 ? row : undefined });
    at += WIDTHS[key];
  }
  return places;
}

/** @param {string} type message name, e.g. `Pod` */
export function compile(type, object) {
  const json = Buffer.from(JSON.stringify(object));
  const protobuf = message(type, object);
  return { json: { bytes: json, marks: marksOf(json) }, protobuf: { bytes: protobuf, marks: marksOf(protobuf) } };
}

/** Copies the template to `target` and fills in the values; gives the end. */
export function stamp({ bytes, marks }, values, target, start) {
  bytes.copy(target, start);
  for (const { at, key, row } of marks) {
    target.latin1Write(row === undefined ? values[key] : values.rows[row][key], start + at, WIDTHS[key]);
  }
  return start + bytes.length;
}

function mixed(seed) {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const hex8 = (value) => value.toString(16).padStart(8, '0');

/** Unique for each (kind, index): the index itself is in it. */
export function uid(kind, index) {
  const noise = hex8(mixed(index * 16 + kind));
  return `${noise}-${hex8(mixed(index)).slice(0, 4)}-4${noise.slice(0, 3)}-8${noise.slice(3, 6)}-${kind.toString(16).padStart(4, '0')}${hex8(index)}`;
}

export const hex = (index, length) => {
  let out = hex8(index);
  for (let seed = index; out.length < length; seed += 7919) out += hex8(mixed(seed));
  return out.slice(0, length);
};

const LETTERS = '2456789bcdfghjklmnpqrstvwxz';

/** The kind of suffix that generated names have, rising with the index so that lists are in the order of their keys. */
export function suffix(index, length = 5) {
  let out = '';
  for (let rest = index; out.length < length; rest = Math.floor(rest / LETTERS.length)) out = LETTERS[rest % LETTERS.length] + out;
  return out;
}

/** As the hash of a pod template looks. */
export const templateHash = (index) => suffix(mixed(index) * 47_000 + (index % 47_000), 10);

/** The management record an API server keeps for the fields of an object. */
export function managed(manager, time, parts, subresource) {
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: owned(parts),
    ...(subresource ? { subresource } : {}),
  };
}

const keyed = ['uid', 'name', 'type', 'ip'];

function owned(value) {
  if (Array.isArray(value)) {
    const key = keyed.find((candidate) => value.every((element) => element?.[candidate] !== undefined));
    if (key === undefined) return {};
    return Object.fromEntries(value.map((element) => [`k:${JSON.stringify({ [key]: element[key] })}`, { '.': {}, ...owned(element) }]));
  }
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [`f:${key}`, owned(inner)]));
}
