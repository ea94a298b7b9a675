import type { Level } from './log-line.ts';

/** What a program printed when it died: several lines that say one thing. */
export interface StackTrace {
  /** Index after its last line. */
  readonly end: number;
  readonly level: Level;
}

interface Language {
  /** Whether a trace starts at this line; some need a look at the lines below. */
  readonly starts: (line: string, lines: readonly string[], at: number) => boolean;
  readonly member: RegExp;
  /** May stand between its lines where a member follows. */
  readonly blanks?: boolean;
  /** A message may take this many lines of its own before the first frame. */
  readonly loose?: number;
  /** A first line that ends so has its message on the next one. */
  readonly goesOn?: RegExp;
  /** A line that belongs to it where the other one follows: the name of a setting, and below it what is wrong with it. */
  readonly pair?: readonly [RegExp, RegExp];
  readonly level: Level;
}

const MOST_LINES = 600;
const WIDEST = 2000;

const JAVA_CLASS = /^(?:[a-z]\w{0,40}\.){1,12}[A-Z][\w$]{0,80}(?:Exception|Error|Throwable)(?:: |\s*$)/;
const NET_CLASS = /^(?:[A-Z]\w{1,60}\.){1,8}\w{1,80}Exception(?: \(\w{1,20}\))?: /;
const SCRIPT_ERROR = /^(?:Uncaught |Unhandled [Rr]ejection:? )?(?:[A-Z]\w{0,60})?(?:Error|Exception)(?: \[\w{1,60}\])?(?:: |$)/;
const SCRIPT_PLACE = /^(?:node:internal\/|internal\/|file:\/\/\/|\/)\S{1,300}:\d{1,7}$/;

function below(lines: readonly string[], at: number, far: number, pattern: RegExp): boolean {
  for (let index = at + 1; index <= at + far && index < lines.length; index++) {
    if (pattern.test((lines[index] ?? '').slice(0, WIDEST))) return true;
  }
  return false;
}

const starting = (pattern: RegExp) => (line: string) => pattern.test(line);

/** An error whose value is printed over several lines, as Node.js and JSON do: its opening line ends with the bracket. */
const DUMP =
  /^(?:[❌✖⨯×⛔]️?\s{1,3})?(?:Uncaught |\[[A-Z]{3,8}\] )?(?=[A-Z])[^\n"'{}=;]{0,160}(?:[Ee]rror|[Ii]nvalid|[Mm]issing|[Ff]ailed)[^\n"'{}=;]{0,100}[[{]\s*$/;
/** Settings that are missing, listed one below the other under a heading. */
const LIST =
  /^\s{0,4}(?:[❌✖⨯×⛔]️?\s{1,3})?(?:Missing|Invalid)(?: or (?:missing|invalid))?(?: required)? (?:environment|env) var(?:iable)?s:?\s*$/i;

const LANGUAGES: readonly Language[] = [
  {
    starts: starting(/^(?:panic: |fatal error: |runtime: goroutine stack exceeds|goroutine \d{1,9} \[)/),
    member:
      /^(?:goroutine \d|created by |\[signal |\[originating from goroutine|runtime stack:|exit status \d|\s{1,16}\/?\S{1,300}\.go:\d|\s{1,8}panic: |\t|r[a-z0-9]{1,3}\s+0x|\.\.\.(?:additional frames|\d{1,6} frames) elided|[A-Za-z_][\w./-]{0,200}(?:\(\*?\w{1,80}\))?[\w.$~[\]{},-]{0,200}\(.{0,600}\)$)/,
    blanks: true,
    loose: 8,
    level: 'fatal',
  },
  {
    starts: (line) => line.startsWith('Exception in thread "') || JAVA_CLASS.test(line),
    member:
      /^(?:\s{1,40}at \S|\s{0,40}\.\.\. \d{1,6} (?:more|common frames omitted)|\s{0,40}(?:Caused by|Suppressed|Wrapped by): |\s{1,40}\[CIRCULAR)/,
    loose: 6,
    level: 'error',
  },
  {
    starts: starting(/^(?:Unhandled exception\. |Unhandled Exception: )/),
    member: /^\s{0,12}(?:--->? |at \S)/,
    level: 'fatal',
  },
  {
    starts: (line, lines, at) => /^(?:fail|crit): [A-Z][\w.]{1,200}\[\d{1,9}\]\s*$/.test(line) && /^\s{6}\S/.test(lines[at + 1] ?? ''),
    member: /^\s{6,16}\S/,
    level: 'error',
  },
  { starts: starting(NET_CLASS), member: /^\s{0,12}(?:--->? |at \S)/, level: 'error' },
  {
    starts: (line, lines, at) =>
      /^\s{0,12}Traceback \(most recent call last\)/.test(line) ||
      (/^ {2}File "[^"]{1,300}", line \d{1,7}$/.test(line) && below(lines, at, 4, /^\w{1,60}Error: /)),
    member:
      /^(?:\s{1,200}\S|Traceback \(most recent|During handling of the above exception|The above exception was the direct cause|[A-Za-z_][\w.]{0,200}(?:Error|Exception|Exit|Interrupt|Warning|Timeout|Refused|Failure|NotFound|Invalid\w{0,40})(?:: |:?$)|[A-Za-z_]\w{0,80}(?:\.\w{1,80}){1,10}: )/,
    blanks: true,
    pair: [/^[A-Za-z_][\w.-]{0,80}$/, /^ {2}\S[^\n]{0,300}\[type=|^ {2}[Ff]ield required/],
    level: 'error',
  },
  {
    starts: (line, lines, at) => SCRIPT_ERROR.test(line) && /^\s{2,12}at \S/.test(lines[at + 1] ?? ''),
    member: /^(?:\s{2,12}at \S|\s{1,12}\S{1,60}: |\s{0,8}\[?[}\]],?\]?\s*$|\s{0,4}\[cause\]|Node\.js v\d)/,
    blanks: true,
    level: 'error',
  },
  {
    starts: (line, lines, at) => DUMP.test(line) && /^\s{1,12}\S/.test(lines[at + 1] ?? '') && below(lines, at, 60, /^[}\]]{1,3},?;?\s*$/),
    member: /^(?:\s{1,60}\S|[}\]]{1,3},?;?\s*$)/,
    level: 'error',
  },
  {
    starts: (line, lines, at) => LIST.test(line) && /^\s{1,12}(?:[-*•] )?[A-Z][A-Z0-9_]{2,80}\b/.test(lines[at + 1] ?? ''),
    member: /^\s{1,12}(?:[-*•] )?[A-Z][A-Z0-9_]{2,80}\b/,
    level: 'error',
  },
  {
    starts: (line, lines, at) =>
      SCRIPT_PLACE.test(line) && below(lines, at, 4, /^\s{0,200}(?:\^{1,200}|throw )/) && below(lines, at, 8, SCRIPT_ERROR),
    member: /^(?:\s{1,200}\S|[A-Z]\w{0,60}(?:Error|Exception)\b|Error\b|\s{0,8}[}\]],?\s*$|Node\.js v\d|[^\s].{0,300};$)/,
    blanks: true,
    level: 'fatal',
  },
  {
    starts: starting(/^\(node:\d{1,7}\) UnhandledPromiseRejectionWarning: /),
    member: /^(?:\s{1,200}\S|[}\]]{1,3}$)/,
    level: 'error',
  },
  {
    starts: starting(/^(?:<--- Last few GCs --->|FATAL ERROR: )/),
    member: /^(?:\s{0,4}\d{1,3}: 0x|\[\d{1,9}:0x|<--- |FATAL ERROR: |Aborted|==== JS stack trace|Security context|\s{4}\S)/,
    blanks: true,
    level: 'fatal',
  },
  {
    starts: starting(/^\s{0,4}thread '[^']{0,100}' (?:\(\d{1,9}\) )?panicked at /),
    member: /^(?:note: |stack backtrace:|\s{1,8}\d{1,4}: |\s{4,40}at |called `|fatal runtime error)/,
    blanks: true,
    loose: 6,
    goesOn: /:\d{1,7}:\s*$/,
    level: 'fatal',
  },
  {
    starts: (line, lines, at) => /^Error: \S/.test(line) && below(lines, at, 2, /^Caused by:\s*$/),
    member: /^(?:Caused by:\s*$|\s{2,12}\S)/,
    blanks: true,
    level: 'error',
  },
  {
    starts: starting(
      /^(?:terminate called |malloc\(\): |free\(\): |realloc\(\): |munmap_chunk\(\): |double free or corruption|corrupted (?:size|double)|\*\*\* (?:stack smashing|buffer overflow|Error in)|={2}\d{1,9}={2}ERROR: AddressSanitizer|Fatal Python error: |[\w./-]{1,200}: [\w./-]{1,200}:\d{1,7}: .{1,300}: Assertion `.{1,400}' failed\.)/,
    ),
    member: /^(?:\s{1,12}what\(\): |Aborted|Segmentation fault|={2}\d{1,9}={2}|\s{4}#\d|Current thread|\s{2}File ")/,
    level: 'fatal',
  },
  {
    starts: starting(
      /^(?:[\w./-]{1,300}\.rb|\/[\w./-]{1,300}):\d{1,7}:in [`'][^'`]{1,200}'?: .{0,1500}\((?:[A-Z]\w{0,60}::){0,8}[A-Z]\w{0,60}\)\s*$/,
    ),
    member: /^\s{1,12}(?:\d{1,4}: )?from /,
    level: 'error',
  },
  {
    starts: starting(/^(?:PHP )?(?:Fatal|Parse) error: /),
    member: /^(?:Stack trace:|#\d{1,4} |\s{2,4}thrown in |Next )/,
    blanks: true,
    level: 'fatal',
  },
];

/** Signs without which none of them starts. */
const SIGN =
  /^\s{0,12}(?:panic: |fatal error|fail: |crit: |runtime: g|goroutine |Exception in|Unhandled|Uncaught|Traceback|File "|[A-Z]\w{0,60}(?:Error|Exception)|[\w$.]{3,300}(?:Error|Exception|Throwable)|node:int|internal\/|file:|\/|\(node:|<---|FATAL ERROR|thread '|Error|terminate called|malloc|free|realloc|munmap|double free|corrupted|\*\*\*|==\d|[❌✖⨯×⛔]|\[[A-Z]|Missing|Invalid|missing|invalid|MISSING|[A-Z][^\n]{0,300}[[{]\s*$|Fatal|PHP|Parse|[\w./-]{1,200}(?:\.rb:|: ))/;

function languageAt(lines: readonly string[], at: number): Language | undefined {
  const line = (lines[at] ?? '').slice(0, WIDEST);
  return SIGN.test(line) ? LANGUAGES.find(({ starts }) => starts(line, lines, at)) : undefined;
}

export function startsTrace(lines: readonly string[], at: number): boolean {
  return languageAt(lines, at) !== undefined;
}

/** The stack trace that starts at this line, as far as it goes; undefined where none does. */
export function traceAt(lines: readonly string[], from: number): StackTrace | undefined {
  const language = languageAt(lines, from);
  return language && { end: endOf(lines, from, language), level: language.level };
}

function endOf(lines: readonly string[], from: number, language: Language): number {
  const goesOn = language.goesOn?.test((lines[from] ?? '').slice(0, WIDEST)) === true && (lines[from + 1] ?? '').trim() !== '';
  let end = goesOn ? from + 2 : from + 1;
  let loose = language.loose ?? 0;
  for (let index = end; index < Math.min(lines.length, from + MOST_LINES); index++) {
    const line = (lines[index] ?? '').slice(0, WIDEST);
    if (line.trim() === '') {
      if (!language.blanks || index > end + 1) break;
      continue;
    }
    const paired = language.pair?.[0].test(line) === true && language.pair[1].test((lines[index + 1] ?? '').slice(0, WIDEST));
    if (!language.member.test(line) && !paired) {
      // Text of its own belongs to it only where a frame follows soon.
      if (loose === 0 || index !== end || !below(lines, index, loose, language.member)) break;
      loose--;
    }
    end = index + 1;
  }
  return end;
}
