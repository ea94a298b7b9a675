/** Narrower than this, equal lengths happen by chance. */
const NARROWEST = 60;
const WIDEST = 400;
/** Lines that were broken, at the least, before a width is believed; at a usual width of terminals fewer will do. */
const LEAST = 3;
const LEAST_AT_USUAL = 2;
const USUAL_WIDTHS: ReadonlySet<number> = new Set([80, 100, 120, 132, 160]);
const MOST_PARTS = 40;

/** Where the lines of one block end, as far as it shows. */
interface Edge {
  readonly longest: number;
  /** A terminal broke the lines wherever they reached that width, in the middle of words. */
  readonly hard: boolean;
  /** An editor broke them before the word that did not fit. */
  readonly soft: boolean;
}

/** Stands where a line was that now belongs to the one above, so that all others keep their numbers. Cleaning leaves none in a text. */
export const JOINED = '\u0001';

/** Puts together what was broken at the edge of a terminal, by an editor, or by hand. */
export function joinWrapped(lines: readonly string[]): readonly string[] {
  const result = lines.slice();
  for (let start = 0; start < lines.length; ) {
    let end = start;
    while (end < lines.length && !isFence(lines[end] ?? '')) end++;
    joinBlock(lines, start, end, result);
    start = end + 1;
  }
  return result;
}

function joinBlock(lines: readonly string[], start: number, stop: number, result: string[]): void {
  if (stop - start < 2) return;
  const edge = edgeOf(lines, start, stop);
  for (let index = start; index < stop - 1; index++) {
    let text = lines[index] ?? '';
    let end = index;
    for (; end + 1 < stop && end - index < MOST_PARTS; end++) {
      const rest = restOf(text, lines[end] ?? '', lines[end + 1] ?? '', edge);
      if (rest === undefined) break;
      text += rest;
    }
    if (end === index) continue;
    result[index] = text;
    result.fill(JOINED, index + 1, end + 1);
    index = end;
  }
}

function isFence(line: string): boolean {
  return /^\s{0,8}(?:```|~~~)/.test(line);
}

function edgeOf(lines: readonly string[], start: number, stop: number): Edge {
  let longest = 0;
  let full = 0;
  for (let index = start; index < stop; index++) {
    const line = lines[index] ?? '';
    if (line.length < longest) continue;
    if (line.length > longest) full = 0;
    longest = line.length;
    // A record that is as wide as can be, with no record below it, says as much as two other lines.
    if (isFull(line)) full += STARTS_RECORD.test(line) && !STARTS_RECORD.test(lines[index + 1] ?? '') ? 2 : 1;
  }
  if (longest < NARROWEST || longest > WIDEST) return { longest, hard: false, soft: false };
  // The longest line of a text has never room for what follows: one such place tells nothing.
  const { records, all } = brokenBetweenWords(lines, start, stop, longest);
  if (records > 0 && all >= LEAST) return { longest, hard: false, soft: true };
  const believed = USUAL_WIDTHS.has(longest) ? full >= LEAST_AT_USUAL : full >= LEAST && full < stop - start;
  return { longest, hard: believed && records === 0, soft: false };
}

/** How many lines, and how many beginnings of records before the very edge, end because the next word did not fit. */
function brokenBetweenWords(lines: readonly string[], start: number, stop: number, width: number): { records: number; all: number } {
  const count = { records: 0, all: 0 };
  for (let index = start; index + 1 < stop; index++) {
    const line = lines[index] ?? '';
    if (!hadNoRoom(line, lines[index + 1] ?? '', width)) continue;
    count.all++;
    if (line.length < width && STARTS_RECORD.test(line)) count.records++;
  }
  return count;
}

/** A row of a box, a ruler, a padded table or a key in base64 is as wide as its neighbours and yet whole. */
function isFull(line: string): boolean {
  return /[^\s|+│┃║┐┘┤=*#_-]$/.test(line) && /\S \S/.test(line) && (STARTS_RECORD.test(line) || !/\S {2,}\S.{0,200}?\S {2,}\S/.test(line));
}

/** What the next line adds to a text that was broken; undefined where it stands for itself. */
function restOf(text: string, line: string, next: string, { longest, hard, soft }: Edge): string | undefined {
  if (line.trim() === '' || next.trim() === '' || isOther(next) || STARTS_RECORD.test(next)) return undefined;
  if (hard && line.length === longest && isFull(line)) return next;
  const rest = next.trim();
  if (/^: ?[a-z"']/i.test(rest) || endsInside(line, next) || insideStatus(text, line, rest) || isLinkOfChain(text, line, next))
    return ` ${rest}`;
  if (!STARTS_RECORD.test(text)) return undefined;
  if (EVENT.test(text) && indentOf(next) > indentOf(text)) return WITHOUT_MESSAGE.test(text) ? `  ${rest}` : ` ${rest}`;
  if (WITHOUT_MESSAGE.test(text) && /^[A-Z][A-Za-z.]{2,40} /.test(rest)) return `  ${rest}`;
  return soft && hadNoRoom(line, next, longest) ? ` ${rest}` : undefined;
}

const EVENT = /^\s{0,8}(?:(?:Normal|Warning) +[A-Z]\w{2,60} |Type +Reason +|---- +------ +)/;

/** Log lines, journal lines and rows of events show where they begin. */
export const STARTS_RECORD =
  /^(?:\s{0,8}(?:(?:Normal|Warning) +[A-Z]\w{2,60} |Type +Reason +|---- +------ +)|[IWEF]\d{4} \d\d:\d\d|\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:|(?:[A-Z][a-z]{2}|\s?\d{1,2}月) +\d{1,2} \d\d:\d\d:\d\d |time="|level=\w|ts=[\d"]|\{"|\[[\w-]{4,20}\] )/;

/** A row of an event that ends with who sent it. */
const WITHOUT_MESSAGE = /^\s{0,8}(?:Normal|Warning) +[A-Z]\w{2,60}(?: {2,}\S{1,60}){0,3}\s{0,200}$/;

/** A prompt, a heading, a list, a key, a frame of a stack, a sentence in another script: no rest of a broken line. */
const OTHER =
  /^\s{0,40}(?:[$#>*+-] |#{1,6} |\d{1,3}[.)] |\[?[\w.-]{1,40}@[\w.-]{1,60}[ :]|at [\w.$]+\(|goroutine \d|Caused by:|NAME\s{2,}|NAMESPACE\s{2,}|[A-Z][\w ]{1,30}: {2,})|[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}/;

function isOther(next: string): boolean {
  return OTHER.test(next.slice(0, WIDEST));
}

/** `mount: /var/lib/…/pvc-1:` with a small word below is one message; a key of YAML has no spaces and indents what follows. */
function endsInside(line: string, next: string): boolean {
  const text = line.trimEnd();
  if (!text.endsWith(':') || text.length <= NARROWEST || indentOf(line) !== indentOf(next)) return false;
  return /^[^:]{1,200}: \S/.test(text) && /\/\S{8,400}:$/.test(text.slice(-WIDEST)) && /^\s{0,80}[a-z]+ [a-z]/.test(next);
}

/** The status of a gRPC call, broken by hand between its parts: the code, the description, the error inside it. */
function insideStatus(text: string, line: string, rest: string): boolean {
  if (/\brpc error: ?(?:code = \w{2,30}:?)?$/.test(line.trimEnd().slice(-WIDEST))) return /^(?:code = |desc = )/.test(rest);
  return /:$/.test(line.trimEnd()) && /\bdesc = /.test(text.slice(0, 4 * WIDEST)) && /^[a-z]{2,20} [a-z]/.test(rest);
}

/** An error of the kubelet or a runtime that wraps others, one `: ` each. */
const CHAIN =
  /^\s{0,80}(?:(?:Error|error|message|Message|err):? {1,8})?(?:Failed to pull image |Failed to create pod sandbox: ?|failed to pull and unpack image |failed to create containerd task: ?|failed to "\w{3,40}" for |Failed to inspect image |rpc error: code = \w{2,24} desc = |MountVolume\.\w{3,24} failed for volume |AttachVolume\.\w{3,24} failed for volume )/;

/** Whoever breaks such a chain by hand does so behind a colon, and indents what follows or not. */
function isLinkOfChain(text: string, line: string, next: string): boolean {
  if (!CHAIN.test(text)) return false;
  const indented = indentOf(next) > indentOf(text);
  if (!line.trimEnd().endsWith(':')) return indented && text.length > line.length;
  return indented || /^\s{0,80}(?:[a-z][\w/.-]{0,80}[ :]|(?:Get|Head|GET|HEAD|OCI) |https?:\/\/|\d{3} [A-Z])/.test(next);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Whoever breaks lines between words does so because the next word did not fit. */
function hadNoRoom(line: string, next: string, width: number): boolean {
  if (width < NARROWEST || width > 200 || STARTS_RECORD.test(next) || /^\s/.test(next)) return false;
  const word = /^\S{1,200}/.exec(next)?.[0] ?? '';
  return word !== '' && line.length + 1 + word.length > width;
}
