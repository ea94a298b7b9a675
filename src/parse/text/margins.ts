import { STARTS_RECORD } from './wrapped-lines.ts';

/** What stands before every line of a copied stretch, and after it. */
interface Margin {
  readonly starts: RegExp;
  /** Undefined where the stretch is something else after all. */
  readonly strip: (lines: readonly string[]) => string[] | undefined;
  readonly least: number;
}

const BOX_START = /^\s{0,40}[│┃║▏▎] ?/;
const BOX_END = /\s{0,400}[│┃║▕]\s{0,8}$/;
const BOX = /[│┃║▏▎▕]/g;
const QUOTED = /^ {0,3}(?:> ?){1,3}/;
const COMMENTED = /^\s{0,8}(?:#|\/\/) /;
const LISTED = /^\s{0,8}[-*•] `?(?=\S)/;
/** A cell of a sheet that log services export: quotes around it, and every quote in it doubled. */
const CELL = /^"(?=[^"])/;
const NUMBERED = /^ {0,8}(?<number>\d{1,5})(?<mark>\t| ?[|│:]|(?= |$))/;

const MARGINS: readonly Margin[] = [
  { starts: /^ {0,3}>/, least: 3, strip: (lines) => lines.map((line) => line.replace(QUOTED, '')) },
  { starts: BOX_START, least: 3, strip: withoutBox },
  { starts: NUMBERED, least: 4, strip: withoutNumbers },
  { starts: COMMENTED, least: 1, strip: (lines) => records(lines, COMMENTED, lines.length) },
  { starts: CELL, least: 1, strip: cells },
  { starts: LISTED, least: 1, strip: (lines) => records(lines, LISTED, 1) },
];

/** Takes quote marks, the sides of a box and line numbers off; as many lines come back. */
export function withoutMargins(lines: readonly string[]): readonly string[] {
  let result: string[] | undefined;
  for (const margin of MARGINS) {
    const given = result ?? lines;
    for (let from = 0; from < given.length; ) {
      const end = endOfRun(given, from, margin.starts);
      const bare = end - from >= margin.least ? margin.strip(given.slice(from, end)) : undefined;
      if (bare) {
        result ??= lines.slice();
        for (const [index, line] of bare.entries()) result[from + index] = line;
      }
      from = Math.max(end, from + 1);
    }
  }
  return result ?? lines;
}

function endOfRun(lines: readonly string[], from: number, starts: RegExp): number {
  let end = from;
  while (end < lines.length && starts.test(lines[end] ?? '')) end++;
  return end;
}

/** A table has bars between its columns too; it is left alone. */
function withoutBox(lines: readonly string[]): string[] | undefined {
  const most = lines.every((line) => BOX_END.test(line)) ? 2 : 1;
  if (lines.some((line) => (line.slice(0, 4000).match(BOX)?.length ?? 0) > most)) return undefined;
  return lines.map((line) => line.replace(BOX_START, '').replace(BOX_END, ''));
}

/** Numbers that count on by one from line to line are an editor's, unless what follows is a list that counts by itself. */
function withoutNumbers(lines: readonly string[]): string[] | undefined {
  const found = lines.map((line) => NUMBERED.exec(line)?.groups);
  const first = Number(found[0]?.['number']);
  if (found.some((groups, index) => Number(groups?.['number']) !== first + index)) return undefined;
  const mark = found[0]?.['mark'] ?? '';
  if (found.some((groups) => groups?.['mark'] !== mark) || (mark === '' && first !== 1)) return undefined;
  const rests = lines.map((line) => line.replace(NUMBERED, ''));
  if (rests.some((rest) => /^ ?[\w@.-]{1,40}(?:: <| +inet6? )|\bmtu \d/.test(rest)) && mark.trim() === ':') return undefined;
  const shared = Math.min(...rests.filter((rest) => rest.trim() !== '').map((rest) => rest.length - rest.trimStart().length), 4);
  return rests.map((rest) => rest.slice(Math.min(shared, rest.length - rest.trimStart().length)));
}

/** Comment marks and bullets go where a log line or an event stands behind them; `reach` tells whether those around it go with it. */
function records(lines: readonly string[], mark: RegExp, reach: number): string[] | undefined {
  const bare = lines.map((line) => line.replace(mark, ''));
  const found = bare.map((line) => STARTS_RECORD.test(line));
  if (!found.includes(true)) return undefined;
  return reach > 1 ? bare : bare.map((line, index) => (found[index] ? line.replace(/`\s{0,8}$/, '') : (lines[index] ?? '')));
}

function cells(lines: readonly string[]): string[] | undefined {
  let found = false;
  const bare = lines.map((line) => {
    const inner = /^"(?<inner>.*)"\s{0,8}$/.exec(line)?.groups?.['inner'];
    if (inner === undefined || inner.replaceAll('""', '').includes('"') || !STARTS_RECORD.test(inner)) return line;
    found = true;
    return inner.replaceAll('""', '"');
  });
  return found ? bare : undefined;
}
