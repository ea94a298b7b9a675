import { parseApplication, parseBracketLevel, parseBracketStamp, parseOddApplication } from './formats/application.ts';
import { parseCriFile, parsePodPrefix, parseTimestamped } from './formats/container-file.ts';
import { parseCrash } from './formats/crash.ts';
import {
  parseJournalFull,
  parseJournalIso,
  parseJournalLeftOver,
  parseJournalMonotonic,
  parseJournalShort,
  parseJournalUnix,
  parseSyslogPriority,
} from './formats/journal.ts';
import { parseJsonLine } from './formats/json-line.ts';
import { parseAudit, parseKernel } from './formats/kernel.ts';
import { parseKlog } from './formats/klog.ts';
import { parseLogfmt, parseLogrusTerminal } from './formats/logfmt.ts';
import { parseZapConsole } from './formats/zap-console.ts';
import { type LogLine, levelOf } from './log-line.ts';
import { hasZone, readStamp } from './stamp.ts';

export { attribute } from './attribute.ts';
export { createMemory, factsOfLine, settle } from './line-facts.ts';

const DEEPEST = 4;
const WIDEST_INDENT = 12;

/** Reads a line of any known log format, with the formats nested in it; undefined when it is none. */
export function parseLogLine(line: string): LogLine | undefined {
  return parseNested(line, 0);
}

/** A line of a text that is known to be a log, though it has no format: only a level may be read off it. */
export function plainLogLine(line: string): LogLine {
  const word = /^[\s*[<]{0,4}(?<level>[A-Za-z]{3,9})[\]>]?(?=[:\s]|$)/.exec(line)?.groups?.['level'];
  const parsed: LogLine = { format: 'plain', message: line.trim() };
  const isLevel = word !== undefined && word.length > 2 && (word === word.toUpperCase() || /^(?:error|fatal|panic|warning)$/i.test(word));
  const level = isLevel ? levelOf(word) : undefined;
  if (level) parsed.level = level;
  return parsed;
}

function parseNested(line: string, depth: number): LogLine | undefined {
  const outer = parseOne(line, depth);
  if (!outer?.wraps) return outer;
  delete outer.wraps;
  if (depth >= DEEPEST) return outer;
  const inner = parseNested(outer.message, depth + 1);
  return inner ? merge(outer, inner) : outer;
}

/** The first character tells most formats apart, so each line meets only the few that may start so. */
function parseOne(line: string, depth: number): LogLine | undefined {
  const first = line.charCodeAt(0);
  if (first === 32 || first === 9) return parseIndented(line, depth);
  if (first >= 48 && first <= 57) return parseDigitStart(line, depth);
  if (first >= 65 && first <= 90) return parseCapitalStart(line, depth);
  if (first === 123) return parseJsonLine(line);
  if (first === 91) return parseBracketStart(line);
  if (first === 60) return parseSyslogPriority(line);
  if (first >= 97 && first <= 122)
    return parseLogfmt(line) ?? parseAudit(line) ?? parseKernel(line) ?? parseCrash(line) ?? leftOver(line, depth);
  return first > 127 ? parseJournalShort(line) : undefined;
}

function parseDigitStart(line: string, depth: number): LogLine | undefined {
  const stamp = readStamp(line);
  if (!stamp) {
    return parseJournalUnix(line) ?? parseZapConsole(line) ?? parseOddApplication(line) ?? parseJournalShort(line) ?? leftOver(line, depth);
  }
  return (
    parseCriFile(line, stamp) ??
    parseZapConsole(line, stamp) ??
    journalUnlessLevel(line, stamp) ??
    levelled(line, stamp) ??
    parseTimestamped(line, stamp) ??
    parseApplication(line, stamp)
  );
}

/** Runtimes stamp the lines of containers to the nanosecond; journals and syslog stop at the microsecond. */
const NANOSECONDS = /\.\d{7,9}/;

/** `2024-01-02 03:04:05 ERROR main: …` looks like a host and a program, too. */
function journalUnlessLevel(line: string, stamp: Parameters<typeof parseJournalIso>[1]): LogLine | undefined {
  const parsed = parseJournalIso(line, stamp);
  if (!parsed) return undefined;
  const named = parsed.pid !== undefined || parsed.unit === 'kernel' || (line.charAt(10) === 'T' && isOfSyslog(parsed, stamp?.text ?? ''));
  return named && !isLevelWord(parsed.host) && !isLevelWord(parsed.unit) ? parsed : undefined;
}

/** Hosts and programs have no slashes, times are no programs. */
function isOfSyslog({ host = '', unit = '' }: LogLine, stamp: string): boolean {
  return hasZone(stamp) && !NANOSECONDS.test(stamp) && !host.includes('/') && !/^[/\d]/.test(unit);
}

function isLevelWord(word: string | undefined): boolean {
  return word !== undefined && word.length > 1 && levelOf(word) !== undefined;
}

function levelled(line: string, stamp: Parameters<typeof parseJournalIso>[1]): LogLine | undefined {
  const parsed = parseApplication(line, stamp);
  return parsed?.level ? parsed : undefined;
}

function parseCapitalStart(line: string, depth: number): LogLine | undefined {
  return (
    parseKlog(line) ??
    parseJournalShort(line) ??
    parseLogrusTerminal(line) ??
    parseJournalFull(line) ??
    parseOddApplication(line) ??
    parseCrash(line) ??
    leftOver(line, depth)
  );
}

function parseBracketStart(line: string): LogLine | undefined {
  return parsePodPrefix(line) ?? parseJournalMonotonic(line) ?? parseKernel(line) ?? parseBracketLevel(line) ?? parseBracketStamp(line);
}

/** Whole logs get indented when they are pasted into lists; a tab is rather a continuation. */
function parseIndented(line: string, depth: number): LogLine | undefined {
  const trimmed = line.trimStart();
  if (trimmed === '' || line.length - trimmed.length > WIDEST_INDENT || line.charCodeAt(0) === 9) return undefined;
  return depth >= DEEPEST ? undefined : parseOne(trimmed, depth + 1);
}

function leftOver(line: string, depth: number): LogLine | undefined {
  if (depth >= DEEPEST) return undefined;
  return parseJournalLeftOver(line, (text) => parseNested(text, DEEPEST) !== undefined);
}

/** The inner line knows best what was said, the outer one who said it where and, with a zone, when. */
function merge(outer: LogLine, inner: LogLine): LogLine {
  const merged: LogLine = { ...outer, ...inner };
  const outerTime =
    outer.when !== undefined && (inner.when === undefined || hasZone(outer.timeText ?? 'Z') || !hasZone(inner.timeText ?? ''));
  const time = outerTime || (inner.when === undefined && inner.timeText === undefined) ? outer : inner;
  if (time.when !== undefined) merged.when = time.when;
  else delete merged.when;
  if (time.timeText !== undefined) merged.timeText = time.timeText;
  if (outer.host !== undefined) merged.host = outer.host;
  if (outer.unit !== undefined) merged.unit = outer.unit;
  if (outer.pid !== undefined) merged.pid = outer.pid;
  if (outer.fields && inner.fields) merged.fields = { ...outer.fields, ...inner.fields };
  const open = outer.open ?? inner.open;
  if (open) merged.open = open;
  return merged;
}
