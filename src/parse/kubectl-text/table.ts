import { isAge } from './ages.ts';
import { hasWideCharacters, isBlank, isElision, isRule, type View } from './lines.ts';
import { gaps, type Header, pipeCells, tokens } from './table-header.ts';

export type Cells = ReadonlyMap<string, string>;

/** Values of these columns may hold blanks, so that they take what is left over. */
const FREE_TEXT = new Set(['OS-IMAGE', 'MESSAGE', 'NODE SELECTOR', 'LAST SCHEDULE']);

function zip(header: Header, values: readonly string[]): Cells {
  return new Map(header.columns.map((column, index) => [column.name, values[index] ?? '']));
}

function byGaps(header: Header, line: string): Cells | undefined {
  const found = gaps(line);
  return found.length === header.columns.length
    ? zip(
        header,
        found.map((chunk) => chunk.text),
      )
    : undefined;
}

function bySingleTabs(header: Header, line: string): Cells | undefined {
  const found = line.split('\t').map((cell) => cell.trim());
  return found.length === header.columns.length ? zip(header, found) : undefined;
}

/** Go pads by characters, terminals and editors by width: a wide character may count once or twice. */
function widthBefore(line: string, index: number): number {
  let width = 0;
  for (const character of line.slice(0, index)) width += hasWideCharacters(character) ? 2 : 1;
  return width;
}

function columnAt(header: Header, position: number): number {
  return header.columns.findLastIndex((column) => column.start <= position + 1);
}

function byPosition(header: Header, line: string, wide: boolean): Cells | undefined {
  const values: string[] = [];
  for (const chunk of gaps(line)) {
    const index = columnAt(header, wide ? widthBefore(line, chunk.start) : chunk.start);
    const target = Math.max(index, 0);
    if (values[target] !== undefined) return undefined;
    values[target] = chunk.text;
  }
  return zip(header, values);
}

/** Cells that hold blanks of their own: `2 (15s ago)`, `standard (default)`. */
function joinBrackets(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '(default)' && joined.length > 0) joined[joined.length - 1] += ' (default)';
    else if (word.startsWith('(') && words[index + 1] === 'ago)' && joined.length > 0) {
      joined[joined.length - 1] += ` ${word} ago)`;
      index++;
    } else joined.push(word);
  }
  return joined;
}

function byTokens(header: Header, line: string): Cells | undefined {
  const words = joinBrackets(tokens(line).map((chunk) => chunk.text));
  const wanted = header.columns.length;
  if (words.length < 2) return undefined;
  if (words.length < wanted && header.columns.at(-1)?.name === 'AGE' && isAge(words.at(-1) ?? '')) {
    return new Map([...zip(header, words.slice(0, -1)), ['AGE', words.at(-1) ?? '']]);
  }
  if (words.length <= wanted) return zip(header, words);
  const flexible = header.columns.findIndex((column) => FREE_TEXT.has(column.name));
  if (flexible < 0) return undefined;
  const extra = words.length - wanted;
  const middle = words.slice(flexible, flexible + extra + 1).join(' ');
  return zip(header, [...words.slice(0, flexible), middle, ...words.slice(flexible + extra + 1)]);
}

/** People end rows they cut short with dots. */
function withoutDots(line: string): string {
  const trimmed = line.trimEnd();
  const dots = /\s(?:\.{3}|…)$/.exec(trimmed.slice(-4));
  return dots ? trimmed.slice(0, trimmed.length - dots[0].length) : line;
}

/** Cuts one row, by whichever way makes cells that fit the columns. */
export function cutRow(header: Header, row: string, fits: (cells: Cells) => boolean): Cells | undefined {
  const line = withoutDots(row);
  if (header.style === 'pipes') {
    const cells = zip(header, pipeCells(line));
    return line.includes('|') && fits(cells) ? cells : undefined;
  }
  const ways = [
    () => (header.style === 'tabs' ? bySingleTabs(header, line) : undefined),
    () => byGaps(header, line),
    () => (header.style === 'aligned' ? byPosition(header, line, false) : undefined),
    () => (header.style === 'aligned' && hasWideCharacters(line) ? byPosition(header, line, true) : undefined),
    () => byTokens(header, line),
  ];
  for (const way of ways) {
    const cells = way();
    if (cells && fits(cells)) return cells;
  }
  return undefined;
}

export interface Row {
  readonly line: number;
  readonly cells: Cells;
}

interface TableBlock {
  readonly rows: readonly Row[];
  /** Index after the last line that belongs to the table. */
  readonly next: number;
  /** Somebody left rows out. */
  readonly elided: boolean;
}

/** Reads rows until a line does not fit; single blank lines between rows that fit are let through. */
export function readRows(view: View, from: number, cut: (line: string) => Cells | undefined): TableBlock {
  const rows: Row[] = [];
  let elided = false;
  let next = from;
  for (let index = from; index < view.count; index++) {
    const line = view.at(index);
    if (isBlank(line)) {
      if (index > next) break;
      continue;
    }
    const cells = isRule(line) || isElision(line) ? undefined : cut(line);
    if (cells) rows.push({ line: index, cells });
    else if (isElision(line)) elided = true;
    else if (!(isRule(line) && rows.length === 0)) break;
    next = index + 1;
  }
  return { rows, next, elided };
}

export function fitsAge(cells: Cells, column = 'AGE'): boolean {
  const value = cells.get(column);
  return value === undefined || value === '' || isAge(value);
}
