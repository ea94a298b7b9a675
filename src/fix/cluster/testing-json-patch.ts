/** A JSON patch by RFC 6902 as the API server does it: strict, letter by letter, a missing member passing a test for null. */
export function applyJsonPatch(document: unknown, operations: readonly unknown[]): unknown {
  const root = { document: structuredClone(document) };
  for (const operation of operations) applyOne(root, operation as Operation);
  return root.document;
}

export class PatchRefused extends Error {
  override readonly name = 'PatchRefused';
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

function applyOne(root: { document: unknown }, { op, path, value }: Operation): void {
  const keys = path
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop() ?? '';
  let parent: unknown = root.document;
  for (const key of keys) parent = (parent as Record<string, unknown> | undefined | null)?.[key];
  if (typeof parent !== 'object' || parent === null) throw new PatchRefused(`${op} operation for path ${path}: missing container`);
  if (Array.isArray(parent)) inList(parent, last, { op, path, value });
  else inObject(parent as Record<string, unknown>, last, { op, path, value });
}

function inList(list: unknown[], key: string, { op, path, value }: Operation): void {
  const index = key === '-' ? list.length : Number(key);
  const most = op === 'add' ? list.length : list.length - 1;
  if (!Number.isInteger(index) || index < 0 || index > most)
    throw new PatchRefused(`${op} operation for path ${path}: index out of bounds`);
  if (op === 'test') tested(list[index], value, path);
  else if (op === 'remove') list.splice(index, 1);
  else list.splice(index, op === 'add' ? 0 : 1, structuredClone(value));
}

function inObject(object: Record<string, unknown>, key: string, { op, path, value }: Operation): void {
  const has = Object.hasOwn(object, key);
  if (op === 'test') tested(has ? object[key] : null, value, path);
  else if (op !== 'add' && !has) throw new PatchRefused(`${op} operation does not apply: doc is missing key: ${path}`);
  else if (op === 'remove') delete object[key];
  else object[key] = structuredClone(value);
}

function tested(found: unknown, wanted: unknown, path: string): void {
  if (!equal(found ?? null, wanted ?? null)) throw new PatchRefused(`testing value ${path} failed`);
}

export function equal(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
}
