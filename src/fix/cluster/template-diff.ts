import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../collect/cluster/list-meta.ts';
import { looksSecret, shown } from './values.ts';

const MOST_LINES = 40;
const DEEPEST = 40;

/** What differs between two pod templates, a line for each field; values of variables may be secrets and are not shown. */
export function templateDiff(before: unknown, after: unknown): string[] {
  const lines: string[] = [];
  walk('', before, after, lines, 0);
  return lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} more`] : lines;
}

function walk(path: string, before: unknown, after: unknown, lines: string[], depth: number): void {
  if (isDeepStrictEqual(before, after)) return;
  const one = asMembers(before);
  const other = asMembers(after);
  if (one === undefined || other === undefined || depth > DEEPEST) {
    lines.push(`${path.slice(1)}: ${hidden(path, before)} → ${hidden(path, after)}`);
    return;
  }
  for (const name of new Set([...one.keys(), ...other.keys()])) walk(`${path}.${name}`, one.get(name), other.get(name), lines, depth + 1);
}

function hidden(path: string, value: unknown): string {
  if (value === undefined) return shown(value);
  const isVariable = /\.env(?:\[|\.|$)/.test(path);
  const isReference = path.includes('.valueFrom.');
  return (isVariable && !isReference) || looksSecret('', value) ? '[redacted]' : shown(value);
}

/** Members by name where they have one, so that a list that only moved is not all different. */
function asMembers(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isRecord(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const names = value.map((item) => (isRecord(item) && typeof item['name'] === 'string' ? item['name'] : undefined));
  if (names.some((name) => name === undefined) || new Set(names).size !== names.length) return undefined;
  return new Map(value.map((item, index) => [`[${shown(names[index])}]`, item]));
}
