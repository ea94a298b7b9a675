const LONGEST = 1 << 20;

/**
 * Whether every line of an object is as far in as it is deep, the way kubectl, jq and others print: each opening bracket at the
 * end of a line, each closing one at the start of its own.
 */
export function isOrderly(text: string): boolean {
  if (text.length > LONGEST) return false;
  const lines = text.split('\n');
  const base = indentOf(lines.at(-1) ?? '');
  const step = indentOf(lines[1] ?? '') - base;
  if (lines.length < 3 || step <= 0 || lines[0] !== '{') return false;
  let depth = 1;
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const indent = indentOf(line);
    if (line[indent] === '}' || line[indent] === ']') depth--;
    if (indent !== base + step * depth) return false;
    if (line.endsWith('{') || line.endsWith('[')) depth++;
  }
  return depth === 0;
}

function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === ' ') indent++;
  return indent;
}
