const LONGEST_LINE = 16_384;

/** Marks that people and build logs put before every line of an output. */
const MARKS: readonly RegExp[] = [
  /^\s{0,12}(?:>\s?){1,8}/,
  /^\s{0,12}#{1,2}\s/,
  /^\s{0,12}\/\/\s/,
  /^\s{0,4}\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?\s/,
];

const BULLET = /^\s{0,12}[-*•]\s(?=\S)/;

/** Lines as one block sees them: quote marks blanked so that columns keep their places. */
export interface View {
  readonly count: number;
  readonly at: (index: number) => string;
}

function blank(line: string, mark: RegExp): string {
  const length = mark.exec(line)?.[0].length ?? 0;
  return length === 0 ? line : ' '.repeat(length) + line.slice(length);
}

function plain(line: string): string {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
  const short = whole.length > LONGEST_LINE ? whole.slice(0, LONGEST_LINE) : whole;
  return short.includes('\u00a0') ? short.replaceAll('\u00a0', ' ') : short;
}

/** The mark of the first line is taken off all lines that carry it. */
export function viewFrom(lines: readonly string[], from: number): View {
  const first = plain(lines[from] ?? '');
  const mark = MARKS.find((candidate) => candidate.test(first));
  const at = (index: number) => {
    const line = plain(lines[index] ?? '');
    const unmarked = mark ? blank(line, mark) : line;
    return index === from ? blank(unmarked, BULLET) : unmarked;
  };
  return { count: lines.length, at };
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

export function indentOf(line: string): number {
  const start = line.search(/\S/);
  return Math.max(start, 0);
}

/** Takes off the indent that all lines share. */
export function dedent(lines: readonly string[]): string[] {
  const indent = lines.reduce((least, line) => (isBlank(line) ? least : Math.min(least, indentOf(line))), LONGEST_LINE);
  return lines.map((line) => line.slice(indent).trimEnd());
}

/** `...`, `<snip>`, and the `--` that grep prints between matches. */
export function isElision(line: string): boolean {
  return /^\s*(?:\.{2,6}|…{1,3}|\[(?:\.{2,3}|…)\]|<(?:snip|snipped|omitted|truncated)>|--)\s*$/i.test(line);
}

export function isRule(line: string): boolean {
  return /^[\s|:+=-]*$/.test(line) && /(?:-{2}|={2})/.test(line);
}

const PROMPTS: readonly RegExp[] = [
  /^\s*\[[^\]]{1,120}\]\s?[#$%]/,
  /^\s*[\w.-]{1,64}@[\w.-]{1,64}[:~ ][^$#>]{0,160}[$#>]/,
  /^\s*[$❯➜»%]\s/,
  /^.{0,120}[$#❯➜>]\s{1,4}(?:sudo\s)?(?:kubectl|k|oc|crictl|docker|journalctl|systemctl|ctr|helm|cat)\s/,
  /^\s*(?:sudo\s)?(?:kubectl|oc|crictl|journalctl|docker|systemctl|microk8s|k3s)\s[a-z-]/,
];

/** A prompt, a code fence, a heading: whatever went before has ended. */
export function isBoundary(line: string): boolean {
  return /^\s*(?:`{3}|~{3})/.test(line) || /^#{1,6}\s\S/.test(line) || /^\s*<\/?(?:pre|code|p|div)\b/i.test(line) || isPrompt(line);
}

function isPrompt(line: string): boolean {
  return PROMPTS.some((prompt) => prompt.test(line));
}

export function hasWideCharacters(line: string): boolean {
  return /[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]/.test(line);
}

/** A name of an object; capitals are let through because people rename things in what they paste. */
export function isName(text: string): boolean {
  return /^[A-Za-z0-9](?:[-\w.]{0,251}[A-Za-z0-9])?$/.test(text);
}
