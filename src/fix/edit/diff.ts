import { inert } from './inert.ts';
import { withoutSecrets } from './secrets.ts';

const CONTEXT = 2;
const WIDEST = 200;
const MOST_COMPARED = 1_000_000;

interface Line {
  /** With its newline, so that a missing last one is a difference. */
  readonly raw: string;
  /** Without secrets. */
  readonly shown: string;
}

interface Row {
  readonly mark: ' ' | '-' | '+';
  readonly line: Line;
}

/** For people, not for `patch`: secrets are hidden, long lines cut, and what could steer a terminal is written out. */
export function unifiedDiff(path: string, before: string, after: string): string[] {
  if (before === after) return [];
  const rows = rowsOf(linesOf(before), linesOf(after));
  const strip = hasOnlyCrlf(before) && hasOnlyCrlf(after);
  const head = [`--- ${before === '' ? '/dev/null' : inert(path)}`, `+++ ${inert(path)}`];
  return [...head, ...hunksOf(rows).flatMap((hunk) => shownHunk(rows, hunk, strip))];
}

/** Lines are compared as they are: two secrets that differ are shown as a change, though they look the same. */
function linesOf(text: string): readonly Line[] {
  const shown = withoutSecrets(text).split('\n');
  const lines = text.split('\n').map((raw, index, all) => ({ raw: index < all.length - 1 ? `${raw}\n` : raw, shown: shown[index] ?? '' }));
  return lines.at(-1)?.raw === '' ? lines.slice(0, -1) : lines;
}

function hasOnlyCrlf(text: string): boolean {
  return !/(?:^|[^\r])\n/.test(text);
}

function rowsOf(before: readonly Line[], after: readonly Line[]): readonly Row[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start]?.raw === after[start]?.raw) start++;
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && before[before.length - 1 - end]?.raw === after[after.length - 1 - end]?.raw) end++;
  return [
    ...marked(' ', before.slice(0, start)),
    ...changedRows(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...marked(' ', before.slice(before.length - end)),
  ];
}

function changedRows(before: readonly Line[], after: readonly Line[]): readonly Row[] {
  if (before.length * after.length > MOST_COMPARED) return replaced(before, after);
  const common = commonLengths(before, after);
  const rows: Row[] = [];
  let old = 0;
  let young = 0;
  while (old < before.length && young < after.length) {
    if (before[old]?.raw === after[young]?.raw) {
      rows.push(...marked(' ', after.slice(young, young + 1)));
      old++;
      young++;
    } else if ((common[old + 1]?.[young] ?? 0) >= (common[old]?.[young + 1] ?? 0)) {
      rows.push(...marked('-', before.slice(old, ++old)));
    } else {
      rows.push(...marked('+', after.slice(young, ++young)));
    }
  }
  return [...rows, ...replaced(before.slice(old), after.slice(young))];
}

function marked(mark: Row['mark'], lines: readonly Line[]): readonly Row[] {
  return lines.map((line) => ({ mark, line }));
}

function replaced(before: readonly Line[], after: readonly Line[]): readonly Row[] {
  return [...marked('-', before), ...marked('+', after)];
}

/** At [i][j]: how many lines the rests from i and from j have in common, in order. */
function commonLengths(before: readonly Line[], after: readonly Line[]): readonly Uint32Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let old = before.length - 1; old >= 0; old--) {
    const row = table[old];
    const below = table[old + 1];
    if (row === undefined || below === undefined) continue;
    for (let young = after.length - 1; young >= 0; young--) {
      const same = before[old]?.raw === after[young]?.raw;
      row[young] = same ? (below[young + 1] ?? 0) + 1 : Math.max(below[young] ?? 0, row[young + 1] ?? 0);
    }
  }
  return table;
}

interface Hunk {
  readonly from: number;
  readonly to: number;
}

function hunksOf(rows: readonly Row[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (const [index, row] of rows.entries()) {
    if (row.mark === ' ') continue;
    const from = Math.max(0, index - CONTEXT);
    const to = Math.min(rows.length, index + CONTEXT + 1);
    const last = hunks.at(-1);
    if (last !== undefined && from <= last.to) hunks[hunks.length - 1] = { from: last.from, to };
    else hunks.push({ from, to });
  }
  return hunks;
}

function shownHunk(rows: readonly Row[], hunk: Hunk, strip: boolean): readonly string[] {
  const inside = rows.slice(hunk.from, hunk.to);
  const count = (part: readonly Row[], other: '-' | '+') => part.filter((row) => row.mark !== other).length;
  const span = (other: '-' | '+') => {
    const length = count(inside, other);
    return `${count(rows.slice(0, hunk.from), other) + (length > 0 ? 1 : 0)},${length}`;
  };
  return [`@@ -${span('+')} +${span('-')} @@`, ...inside.flatMap((row) => shownRow(row, strip))];
}

function shownRow(row: Row, strip: boolean): readonly string[] {
  const { raw, shown } = row.line;
  const text = inert(strip && shown.endsWith('\r') ? shown.slice(0, -1) : shown);
  const cut = text.length > WIDEST ? `${text.slice(0, WIDEST).replace(/\p{Cs}$/u, '')}…` : text;
  return raw.endsWith('\n') ? [row.mark + cut] : [row.mark + cut, '\\ No newline at end of file'];
}
