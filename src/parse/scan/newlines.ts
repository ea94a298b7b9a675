const NEWLINE = 10;
/** Looking for the next line break by call pays off from about this line length on. */
const LINES_PER_TRY = 32;
const SHORT_LINE = 40;

export function countNewlines(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  let at = from;
  while (at < to) {
    const start = at;
    const goal = count + LINES_PER_TRY;
    while (count < goal) {
      const next = bytes.indexOf(NEWLINE, at);
      if (next < 0 || next >= to) return count;
      count++;
      at = next + 1;
    }
    if (at - start < LINES_PER_TRY * SHORT_LINE) return count + countByByte(bytes, at, to);
  }
  return count;
}

function countByByte(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (bytes[at] === NEWLINE) count++;
  return count;
}
