import { type LogLine, levelOf } from '../log-line.ts';
import { readStamp, type Stamp } from '../stamp.ts';

const WORDS =
  'TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|SEVERE|CRITICAL|CRIT|ALERT|EMERG|FATAL|PANIC|LOG|HINT|DETAIL|STATEMENT|CONTEXT';
const UPPER = new RegExp(`(?:^|[\\s|(])(?<level>${WORDS})(?=[\\s:|,)]|$)`);
const BRACKETED = new RegExp(
  `[\\[<](?:[a-z_]{1,20}:)?\\s?(?<level>${WORDS}|${WORDS.toLowerCase()}|Error|Warning|Warn|Information|Info)\\s?[\\]>]`,
);
const HEAD = 120;
const ID_OR_ZONE = /^(?:(?=[a-f.:#x-]{0,40}\d)[0-9a-f.:#x-]{1,40}|[-|:*#.]{1,8}|[A-Z]{3,4})$/;

const BRACKET_LEVEL = /^\[(?<level>TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|PANIC)\] /;
const BRACKET_STAMP = /^\[(?<inner>[^\]]{8,60})\]:? ?/;
const LEVEL_FIRST =
  /^(?<level>TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|SEVERE|CRITICAL)\b[^0-9]{0,60}(?=\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d)/;
const PYTHON = /^(?<level>DEBUG|INFO|WARNING|ERROR|CRITICAL):(?<component>[A-Za-z_][\w.]{0,100}):(?=\S)/;
const CLOCK_ONLY = /^\d\d:\d\d:\d\d[.,]\d{3} /;
const REDIS = /^\d{1,7}:[A-Z] (?=\d\d [A-Z][a-z]{2} \d{4} )/;
const JAVA_UTIL = /^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d [AP]M /;

/** A stamp with a year, then a level somewhere near, then text: nginx, PostgreSQL, Java, Python, Rust and the like. */
export function parseApplication(line: string, stamp: Stamp | undefined = readStamp(line)): LogLine | undefined {
  if (!stamp) return undefined;
  const next = line.charAt(stamp.end);
  if (next !== '' && next !== '\t' && next !== ' ' && next !== '[' && next !== '|' && next !== ':') return undefined;
  const parsed: LogLine = { format: 'application', when: stamp.when, timeText: stamp.text, message: '', wraps: true };
  readLevel(line.slice(stamp.end), parsed);
  return parsed;
}

/** Finds the level near the start; takes it and what is before it off only when no words would be lost. */
function readLevel(rest: string, into: LogLine): void {
  const head = rest.slice(0, HEAD);
  const upper = UPPER.exec(head);
  const bracketed = BRACKETED.exec(head);
  const match = upper && bracketed ? (upper.index <= bracketed.index ? upper : bracketed) : (upper ?? bracketed);
  into.message = rest.trim();
  if (!match) return;
  const level = levelOf(match.groups?.['level']);
  const before = head.slice(0, match.index);
  if (!isPreamble(before)) {
    // Columns between dashes or bars hold a name before the level: both stay in the message.
    if (level && /(?:^|\s)[-|]\s*$/.test(before)) into.level = level;
    return;
  }
  if (level) into.level = level;
  const end = match.index + match[0].length;
  into.message = rest
    .slice(end)
    .replace(/^[\s:|\]-]{1,10}/, '')
    .trim();
  delete into.wraps;
}

/** Whether only ids, numbers and things in brackets stand there, which are no part of the message. */
function isPreamble(text: string): boolean {
  const words = text.replace(/\[[^\]]{0,80}\]|\([^)]{0,80}\)/g, ' ').split(/\s+/);
  return words.every((word) => word === '' || ID_OR_ZONE.test(word));
}

/** `[INFO] plugin/reload: …` as CoreDNS prints it. */
export function parseBracketLevel(line: string): LogLine | undefined {
  const match = BRACKET_LEVEL.exec(line);
  if (!match) return undefined;
  const parsed: LogLine = { format: 'bracket', message: line.slice(match[0].length).trim() };
  const level = levelOf(match.groups?.['level']);
  if (level) parsed.level = level;
  return parsed;
}

/** `[2024-01-02T03:04:05,123][ERROR] …`, `[2024/01/02 03:04:05] [error] …`, `[2024-01-02T03:04:05Z ERROR crate] …` */
export function parseBracketStamp(line: string): LogLine | undefined {
  const match = BRACKET_STAMP.exec(line);
  const inner = match?.groups?.['inner'];
  const stamp = inner === undefined ? undefined : readStamp(inner);
  if (!match || inner === undefined || !stamp) return undefined;
  const parsed: LogLine = { format: 'application', when: stamp.when, timeText: stamp.text, message: '' };
  const [word, component] = inner.slice(stamp.end).trim().split(' ', 2);
  const level = levelOf(word);
  readLevel(line.slice(match[0].length), parsed);
  if (level) parsed.level = level;
  if (level && component) parsed.component = component;
  return parsed;
}

/** Forms that do not start with their stamp, or have only a clock. */
export function parseOddApplication(line: string): LogLine | undefined {
  return parseLevelFirst(line) ?? parsePython(line) ?? parseClockOnly(line) ?? parseBehindPrefix(line);
}

function parseLevelFirst(line: string): LogLine | undefined {
  const match = LEVEL_FIRST.exec(line);
  if (!match) return undefined;
  const stamp = readStamp(line.slice(match[0].length));
  if (!stamp) return undefined;
  const parsed: LogLine = { format: 'application', when: stamp.when, timeText: stamp.text, message: '' };
  parsed.message = line.slice(match[0].length + stamp.end).replace(/^[\s\]:,-]{1,10}/, '');
  const level = levelOf(match.groups?.['level']);
  if (level) parsed.level = level;
  return parsed;
}

function parsePython(line: string): LogLine | undefined {
  const match = PYTHON.exec(line);
  const groups = match?.groups;
  if (!match || !groups) return undefined;
  const parsed: LogLine = { format: 'application', message: line.slice(match[0].length), component: groups['component'] ?? '' };
  const level = levelOf(groups['level']);
  if (level) parsed.level = level;
  return parsed;
}

function parseClockOnly(line: string): LogLine | undefined {
  const match = CLOCK_ONLY.exec(line);
  if (!match) return undefined;
  const parsed: LogLine = { format: 'application', message: '', timeText: match[0].trim() };
  readLevel(line.slice(match[0].length), parsed);
  return parsed.level ? parsed : undefined;
}

function parseBehindPrefix(line: string): LogLine | undefined {
  const redis = REDIS.exec(line);
  if (redis) {
    const rest = line.slice(redis[0].length);
    const stamp = readStamp(rest);
    if (!stamp) return undefined;
    return {
      format: 'application',
      when: stamp.when,
      timeText: stamp.text,
      message: rest
        .slice(stamp.end)
        .replace(/^ [#*.-] /, '')
        .trim(),
    };
  }
  const java = JAVA_UTIL.exec(line);
  return java ? { format: 'application', message: line.slice(java[0].length), timeText: java[0].trim() } : undefined;
}
