import { closeQuote, readQuote } from './quotes.ts';
import type { Span } from './spans.ts';
import { isHarmless } from './values.ts';

/** Spans by the index of their line. */
export type LineSpans = Map<number, Span[]>;

export function addSpan(spans: LineSpans, line: number, span: Span): void {
  const known = spans.get(line);
  if (known) known.push(span);
  else spans.set(line, [span]);
}

interface Place {
  readonly line: number;
  readonly column: number;
}

type Range = readonly [start: Place, end: Place];

/** Nested so that handing data outwards does not copy it. */
type Ranges = (Range | { readonly nested: Ranges })[];

/** One pair of braces. */
interface Frame {
  readonly start: Place;
  /** The braces hold the `data` or `stringData` of the object around them. */
  readonly isData: boolean;
  kind: 'Secret' | 'SecretList' | undefined;
  data: Range[];
  /** Data of objects further inside whose kind is not told, as in a SecretList. */
  inner: Ranges;
}

const KIND = /"kind\\{0,31}"\s{0,8}:\s{0,8}\\{0,31}"Secret(?:List)?\\{0,31}"/;
const TOKEN =
  /[{}]|"kind\\{0,31}"\s{0,8}:\s{0,8}\\{0,31}"(?<kind>Secret|SecretList)\\{0,31}"|"(?:data|stringData)\\{0,31}"\s{0,8}:\s{0,8}(?<data>\{)/g;

export function mentionsJsonSecret(line: string): boolean {
  return line.includes('kind') && KIND.test(line);
}

/**
 * The values inside `data` and `stringData` of every Secret written as JSON: compact, indented, or escaped inside a
 * string, as in the last-applied-configuration annotation. Only braces are followed, so a cut-off object still counts.
 */
export function findJsonSecrets(lines: readonly string[], spans: LineSpans): void {
  const stack: Frame[] = [newFrame({ line: 0, column: 0 }, false)];
  const found: Ranges = [];
  lines.forEach((text, line) => {
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
      const place = { line, column: match.index + match[0].length };
      const top = stack.at(-1);
      if (match.groups?.['data'] !== undefined) stack.push(newFrame(place, true));
      else if (match[0] === '{') stack.push(newFrame(place, false));
      else if (match[0] === '}') closeFrame(stack, { line, column: match.index }, found);
      else if (top) top.kind = match.groups?.['kind'] === 'SecretList' ? 'SecretList' : 'Secret';
    }
  });
  const end = { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
  while (stack.length > 1) closeFrame(stack, end, found);
  const root = stack[0];
  if (root?.kind) found.push({ nested: root.data });
  if (root?.kind === 'SecretList') found.push({ nested: root.inner });
  for (const range of unite(flatten(found))) hideValues(lines, range, spans);
}

function newFrame(start: Place, isData: boolean): Frame {
  return { start, isData, kind: undefined, data: [], inner: [] };
}

function closeFrame(stack: Frame[], end: Place, found: Ranges): void {
  if (stack.length < 2) return;
  const frame = stack.pop();
  const parent = stack.at(-1);
  if (!frame || !parent) return;
  if (frame.isData) parent.data.push([frame.start, end]);
  if (frame.kind) found.push({ nested: frame.data });
  else if (frame.data.length > 0) frame.inner.push({ nested: frame.data });
  if (frame.inner.length > 0) (frame.kind === 'SecretList' ? found : parent.inner).push({ nested: frame.inner });
}

function flatten(ranges: Ranges): Range[] {
  const flat: Range[] = [];
  const open: Ranges[] = [ranges];
  for (let list = open.pop(); list; list = open.pop()) {
    for (const range of list) {
      if ('nested' in range) open.push(range.nested);
      else flat.push(range);
    }
  }
  return flat;
}

/** Ranges inside others are dropped, so that no text is gone through twice. */
function unite(ranges: Range[]): Range[] {
  const united: Range[] = [];
  for (const range of ranges.sort(([left], [right]) => comparePlaces(left, right))) {
    const last = united.at(-1);
    if (!last || comparePlaces(range[1], last[1]) > 0) united.push(range);
  }
  return united;
}

function comparePlaces(left: Place, right: Place): number {
  return left.line - right.line || left.column - right.column;
}

const VALUE = /:\s{0,8}(?=\\{0,31}")/g;

function hideValues(lines: readonly string[], [start, end]: Range, spans: LineSpans): void {
  for (let line = start.line; line <= end.line; line += 1) {
    const text = lines[line] ?? '';
    const limit = line === end.line ? end.column : text.length;
    VALUE.lastIndex = line === start.line ? start.column : 0;
    for (let match = VALUE.exec(text); match && match.index < limit; match = VALUE.exec(text)) {
      const quote = readQuote(text, VALUE.lastIndex);
      if (!quote) continue;
      const close = Math.max(quote.start, Math.min(closeQuote(text, quote), limit));
      VALUE.lastIndex = close;
      if (!isHarmless(text.slice(quote.start, close))) addSpan(spans, line, { start: quote.start, end: close, kind: 'secret-data' });
    }
  }
}
