import { isItem } from './plain-yaml.ts';

/** Rows that something takes up, by index: `from` its first, `to` after its last; its content stands at column `indent` from `inner` on. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly inner: number;
  readonly indent: number;
}

/** Finds what a pointer names in block-style YAML by its indentation alone; rows count from 0, the last one included. */
export function rowsOf(rows: readonly string[], pointer: string): readonly [first: number, last: number] | undefined {
  const start = nextContent(rows, 0, rows.length);
  if (start < 0) return undefined;
  let span: Span | undefined = { from: start, to: rows.length, inner: start, indent: indentAt(rows, start) };
  for (const part of pointer.split('/').slice(1)) {
    span = within(rows, span, part.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (!span) return undefined;
  }
  let last = span.to - 1;
  while (last > span.from && (rows[last] ?? '').trim() === '') last--;
  return [span.from, last];
}

function within(rows: readonly string[], span: Span, key: string): Span | undefined {
  if (span.inner < 0) return undefined;
  return isItem(rows[span.inner] ?? '', span.indent) ? itemOf(rows, span, Number(key)) : entryOf(rows, span, key);
}

function itemOf(rows: readonly string[], { inner, to, indent }: Span, wanted: number): Span | undefined {
  let count = -1;
  for (let at = inner; at < to; at++) {
    const row = rows[at] ?? '';
    if (!isItem(row, indent) || indentAt(rows, at) !== indent || ++count !== wanted) continue;
    const end = endOf(rows, at, to, indent, false);
    const behind = contentAt(row, indent + 1);
    if (behind >= 0) return { from: at, to: end, inner: at, indent: behind };
    const below = nextContent(rows, at + 1, end);
    return { from: at, to: end, inner: below, indent: indentAt(rows, below) };
  }
  return undefined;
}

function entryOf(rows: readonly string[], { inner, to, indent }: Span, key: string): Span | undefined {
  for (let at = inner; at < to; at++) {
    const row = rows[at] ?? '';
    // The first key of an item stands behind its dash.
    if ((at !== inner && indentAt(rows, at) !== indent) || !hasKey(row, indent, key)) continue;
    const end = endOf(rows, at, to, indent, true);
    const below = nextContent(rows, at + 1, end);
    return { from: at, to: end, inner: below, indent: indentAt(rows, below) };
  }
  return undefined;
}

function hasKey(row: string, indent: number, key: string): boolean {
  return row.startsWith(`${key}:`, indent) || row.startsWith(`"${key}":`, indent) || row.startsWith(`'${key}':`, indent);
}

/** Up to the next row that is not deeper; the items of a list may stand in the column of its key. */
function endOf(rows: readonly string[], from: number, to: number, indent: number, isKey: boolean): number {
  for (let at = from + 1; at < to; at++) {
    const depth = indentAt(rows, at);
    if (depth < 0 || depth > indent || (isKey && depth === indent && isItem(rows[at] ?? '', indent))) continue;
    return at;
  }
  return to;
}

function nextContent(rows: readonly string[], from: number, to: number): number {
  for (let at = from; at < to; at++) if (indentAt(rows, at) >= 0) return at;
  return -1;
}

/** -1 for a row without content. */
function indentAt(rows: readonly string[], at: number): number {
  return contentAt(rows[at] ?? '', 0);
}

function contentAt(row: string, from: number): number {
  let at = from;
  while (row.charCodeAt(at) === 32) at++;
  return at < row.length ? at : -1;
}
