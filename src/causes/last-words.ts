const TROUBLE =
  /error|exception|fail|fatal|panic|cannot|can't|could not|unable|denied|refused|not found|not defined|not set|no such|invalid|missing|required|must |unknown|unrecogni[sz]ed|abort|timed? ?out|traceback|usage/i;
const LONGEST = 200;

/** Whether a line of a log sounds like trouble. */
export function tellsOfTrouble(text: string): boolean {
  return TROUBLE.test(text.slice(0, 4000));
}

/** The line of a log's end that tells most: the last trouble, of a stack trace the line that names it. */
export function tellingLine(entries: readonly string[]): string | undefined {
  const entry = entries.findLast((text) => tellsOfTrouble(text) && !/^\s*usage\b/i.test(text)) ?? entries.at(-1);
  const lines = entry?.split('\n').filter((text) => text.trim() !== '') ?? [];
  const outermost = /^\s*Traceback/.test(lines[0] ?? '')
    ? lines.findLast((text) => /^\S/.test(text))
    : lines.find((text) => TROUBLE.test(text));
  const told = (lines.findLast((text) => /^\s*Caused by: /.test(text)) ?? outermost ?? lines[0])?.trim();
  return told !== undefined && told.length > LONGEST ? `${told.slice(0, LONGEST - 1)}…` : told;
}
