import { indentOf, isBlank, isBoundary } from './text.ts';

/** One `Key: value` line of a command that prints fields. */
export interface Field {
  readonly key: string;
  readonly value: string;
  readonly line: number;
  readonly indent: number;
}

const FIELD_LINES = 400;
const FIELD = /^\s{0,40}(?<key>[A-Za-z][\w /().-]{0,48}?)\s{0,30}:(?:\s+(?<value>\S.*)|\s*)$/;

export function fieldAt(lines: readonly string[], index: number): Field | undefined {
  const line = lines[index] ?? '';
  if (line.length > 2000) return undefined;
  const groups = FIELD.exec(line)?.groups;
  if (!groups) return undefined;
  return { key: groups['key'] ?? '', value: (groups['value'] ?? '').trim(), line: index, indent: indentOf(line) };
}

/** Fields from `from` on, until a prompt, a blank line followed by no field, or a line that `belongs` refuses. */
export function readFields(
  lines: readonly string[],
  from: number,
  belongs: (field: Field | undefined, line: string) => boolean,
): { fields: readonly Field[]; end: number } {
  const fields: Field[] = [];
  let end = from;
  let blanks = 0;
  for (let index = from; index < lines.length && index < from + FIELD_LINES; index++) {
    const line = lines[index] ?? '';
    if (isBlank(line)) {
      if (++blanks > 2) break;
      continue;
    }
    if (isBoundary(line) || line.length > 2000) break;
    const field = fieldAt(lines, index);
    if (!belongs(field, line)) break;
    if (field) fields.push(field);
    end = index + 1;
    blanks = 0;
  }
  return { fields, end };
}

export function fieldOf(fields: readonly Field[], key: string): Field | undefined {
  return fields.find((field) => field.key === key);
}
