import { isDeepStrictEqual } from 'node:util';
import type { Scalar } from '../../model/change.ts';
import type { Cut, Edited } from './edit.ts';
import { refuse, unchanged } from './edit.ts';
import type { JsonMember, JsonNode } from './json-tree.ts';
import { jsonTree } from './json-tree.ts';
import { whyNoJson } from './json-why.ts';
import { lineEndingOf } from './lines.ts';
import { cutText } from './splices.ts';

/** What a key shall hold: one value, or a list in which the member that begins with `prefix` is that value. */
export type Wanted = { readonly value: Scalar } | { readonly member: string; readonly prefix: string };

interface Place {
  readonly text: string;
  readonly root: JsonNode;
}

/** Gives one key its value; every other byte stays. A file that is not there, or empty, is begun. */
export function setJson(text: string | undefined, path: readonly string[], wanted: Wanted): Edited {
  const before = text ?? '';
  const offset = before.startsWith('\uFEFF') ? 1 : 0;
  const body = before.slice(offset);
  if (body.trim() === '') return cutText(before, [{ from: offset, to: before.length, text: begun(path, wanted) }]);
  const old = read(body);
  const root = old === undefined ? undefined : jsonTree(body);
  if (root === undefined) return refuse(whyNoJson(body));
  if (root.kind !== 'object') return refuse('The file holds no object.');
  const cut = cutFor({ text: body, root }, path, wanted);
  if (typeof cut === 'string') return refuse(cut);
  if (cut === undefined) return unchanged(before);
  const edited = cutText(before, [{ from: cut.from + offset, to: cut.to + offset, text: cut.text }]);
  if (!edited.ok) return edited;
  const isSound = isDeepStrictEqual(read(edited.after.slice(offset)), withWanted(old, path, wanted));
  return isSound ? edited : refuse('The edit would change more of the file than the one option.');
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function begun(path: readonly string[], wanted: Wanted): string {
  return `${JSON.stringify(nested(path, wanted), undefined, 2)}\n`;
}

function nested(path: readonly string[], wanted: Wanted): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return 'value' in wanted ? wanted.value : [wanted.member];
  return Object.fromEntries([[first, nested(rest, wanted)]]);
}

function cutFor(place: Place, path: readonly string[], wanted: Wanted): Cut | string | undefined {
  let node = place.root;
  for (const [index, name] of path.entries()) {
    const same = node.members.filter((member) => member.key === name);
    const member = same[0];
    if (same.length > 1) return `${name} is there twice.`;
    // Go's reader takes a key in other letters for the same one.
    const alike = node.members.find(({ key }) => key !== name && key.toLowerCase() === name.toLowerCase());
    if (alike !== undefined) return `${alike.key} differs from ${name} in capital letters only.`;
    if (member === undefined) return newMember(place, node, name, nested(path.slice(index + 1), wanted));
    node = member.value;
    if (index < path.length - 1 && node.kind !== 'object') return `${name} is not an object.`;
  }
  return 'value' in wanted ? replacement(place.text, node, wanted.value) : inList(place, node, path.at(-1) ?? '', wanted);
}

function replacement(text: string, node: JsonNode, value: Scalar): Cut | string | undefined {
  if (node.kind !== 'scalar') return 'The option holds a list or an object there, not a single value.';
  const old = read(text.slice(node.from, node.to));
  const young = likeOld(old, value);
  return old === young ? undefined : { from: node.from, to: node.to, text: JSON.stringify(young) };
}

/** Slots are texts: where a number or a truth value stands, one is written again. */
function likeOld(old: unknown, value: Scalar): Scalar {
  if (typeof value !== 'string') return value;
  if (typeof old === 'number' && /^-?\d{1,15}$/.test(value)) return Number(value);
  return typeof old === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value;
}

function inList(place: Place, node: JsonNode, name: string, wanted: { member: string; prefix: string }): Cut | string | undefined {
  if (node.kind !== 'array') return `${name} is not a list.`;
  const values = node.items.map((item) => read(place.text.slice(item.from, item.to)));
  const indexes = [...values.keys()].filter((index) => String(values[index]).startsWith(wanted.prefix));
  if (indexes.length > 1) return `${name} has more than one ${wanted.prefix}.`;
  const item = node.items[indexes[0] ?? -1];
  if (item === undefined) return newItem(place.text, node, JSON.stringify(wanted.member));
  if (values[indexes[0] ?? -1] === wanted.member) return undefined;
  return { from: item.from, to: item.to, text: JSON.stringify(wanted.member) };
}

function newItem(text: string, node: JsonNode, item: string): Cut {
  const last = node.items.at(-1);
  if (last === undefined) return { from: node.from + 1, to: node.from + 1, text: item };
  return { from: last.to, to: last.to, text: `,${spaceBefore(text, last.from) || ' '}${item}` };
}

function newMember(place: Place, node: JsonNode, name: string, value: unknown): Cut {
  const { text, root } = place;
  const ending = lineEndingOf(text);
  const outer = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', node.from) + 1))?.[0] ?? '';
  const step = stepOf(text, root);
  const last = node.members.at(-1);
  if (last === undefined) {
    const inner = `${ending}${outer}${step}`;
    const pair = `${JSON.stringify(name)}: ${written(value, step, inner)}`;
    const isOpen = text.slice(node.from, node.to).includes('\n');
    return { from: node.from + 1, to: node.from + 1, text: `${inner}${pair}${isOpen ? '' : ending + outer}` };
  }
  const space = spaceBefore(text, last.from) || ' ';
  const many = space.includes('\n');
  const pair = `${JSON.stringify(name)}${colonOf(text, last)}${written(value, many ? step : '', space)}`;
  return { from: last.value.to, to: last.value.to, text: `,${space}${pair}` };
}

function written(value: unknown, step: string, newline: string): string {
  return JSON.stringify(value, undefined, step).replaceAll('\n', newline);
}

function colonOf(text: string, member: JsonMember): string {
  const gap = text.slice(member.keyEnd, member.value.from);
  return gap.includes('\n') ? ': ' : gap;
}

/** From the last newline on, so that blank lines are not repeated. */
function spaceBefore(text: string, at: number): string {
  const space = /[ \t\r\n]*$/.exec(text.slice(Math.max(0, at - 400), at))?.[0] ?? '';
  const newline = space.lastIndexOf('\n');
  if (newline === -1) return space;
  return space.slice(space[newline - 1] === '\r' ? newline - 1 : newline);
}

function stepOf(text: string, root: JsonNode): string {
  const first = root.members[0];
  const space = first === undefined ? '' : spaceBefore(text, first.from);
  return (space.includes('\n') && space.slice(space.indexOf('\n') + 1)) || '  ';
}

function withWanted(old: unknown, path: readonly string[], wanted: Wanted): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return listOrValue(old, wanted);
  const copy: Record<string, unknown> = { ...(typeof old === 'object' ? old : {}) };
  const below = withWanted(Object.hasOwn(copy, first) ? copy[first] : undefined, rest, wanted);
  return Object.defineProperty(copy, first, { value: below, enumerable: true, configurable: true, writable: true });
}

function listOrValue(old: unknown, wanted: Wanted): unknown {
  if ('value' in wanted) return likeOld(old, wanted.value);
  const list: readonly unknown[] = Array.isArray(old) ? old : [];
  const at = list.findIndex((item) => String(item).startsWith(wanted.prefix));
  return at === -1 ? [...list, wanted.member] : list.with(at, wanted.member);
}
