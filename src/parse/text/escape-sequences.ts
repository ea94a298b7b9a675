const ESCAPE = 0x1b;
const BELL = 0x07;
const CSI_8BIT = 0x9b;
const STRING_TERMINATOR_8BIT = 0x9c;

/** After ESC: [ starts a control sequence, these start strings that run to a terminator. */
const STRING_STARTS: ReadonlySet<number> = new Set([...'PX]^_'].map((character) => character.charCodeAt(0)));
const STRING_STARTS_8BIT: ReadonlySet<number> = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);

const WIDEST_GAP = 200;

/** Removes ANSI control sequences and strings from one line, in one pass. */
export function stripSequences(line: string): string {
  const kept: string[] = [];
  const lastTerminator = findLastTerminator(line);
  let plainFrom = 0;
  let index = 0;
  while (index < line.length) {
    const code = line.charCodeAt(index);
    if (code !== ESCAPE && (code < 0x90 || code > 0x9f)) {
      index += 1;
      continue;
    }
    kept.push(line.slice(plainFrom, index));
    const { end, gap } = skipSequence(line, index, lastTerminator);
    if (gap > 0) kept.push(' '.repeat(gap));
    index = end;
    plainFrom = end;
  }
  kept.push(line.slice(plainFrom));
  return kept.join('');
}

interface Skipped {
  readonly end: number;
  /** Blanks to leave: programs lay out columns by moving the cursor. */
  readonly gap: number;
}

function skipSequence(line: string, start: number, lastTerminator: number): Skipped {
  const code = line.charCodeAt(start);
  if (code === CSI_8BIT) return skipControl(line, start + 1);
  if (STRING_STARTS_8BIT.has(code)) return { end: skipString(line, start + 1, lastTerminator), gap: 0 };
  if (code !== ESCAPE) return { end: start + 1, gap: 0 };
  const next = line.charCodeAt(start + 1);
  if (next === 0x5b) return skipControl(line, start + 2);
  if (STRING_STARTS.has(next)) return { end: skipString(line, start + 2, lastTerminator), gap: 0 };
  let end = start + 1;
  while (isBetween(line.charCodeAt(end), 0x20, 0x2f)) end += 1;
  return { end: isBetween(line.charCodeAt(end), 0x30, 0x7e) ? end + 1 : end, gap: 0 };
}

function skipControl(line: string, start: number): Skipped {
  let end = start;
  while (isBetween(line.charCodeAt(end), 0x30, 0x3f)) end += 1;
  const parameters = line.slice(start, Math.min(end, start + 8));
  while (isBetween(line.charCodeAt(end), 0x20, 0x2f)) end += 1;
  const final = line.charCodeAt(end);
  const movesRight = final === 0x43;
  const columns = movesRight ? Number.parseInt(parameters || '1', 10) : 0;
  return { end: isBetween(final, 0x40, 0x7e) ? end + 1 : end, gap: columns > 0 ? Math.min(columns, WIDEST_GAP) : 0 };
}

/** A string without terminator on its line loses only its introducer: nothing may hide the rest of the evidence. */
function skipString(line: string, start: number, lastTerminator: number): number {
  if (start > lastTerminator) return start;
  for (let index = start; index <= lastTerminator; index += 1) {
    const code = line.charCodeAt(index);
    if (code === BELL || code === STRING_TERMINATOR_8BIT) return index + 1;
    if (code === ESCAPE && line.charCodeAt(index + 1) === 0x5c) return index + 2;
  }
  return start;
}

function findLastTerminator(line: string): number {
  return Math.max(line.lastIndexOf('\u0007'), line.lastIndexOf('\u009c'), line.lastIndexOf('\u001b\\'));
}

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}
