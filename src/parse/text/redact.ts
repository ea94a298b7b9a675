import {
  findBlockValue,
  findInlineKeys,
  findKeyBody,
  findLongString,
  findNamedValue,
  findNextLineValue,
  findWrappedRest,
} from './redaction/blocks.ts';
import { addSpan, findJsonSecrets, type LineSpans, mentionsJsonSecret } from './redaction/json-secrets.ts';
import { findKeyValues } from './redaction/keys.ts';
import { findDriverPasswords, findPatterns, findUrlPasswords } from './redaction/patterns.ts';
import { nextJoinToken, nextSuspect } from './redaction/scan.ts';
import { applySpans, type Redacted, type Span } from './redaction/spans.ts';
import { findYamlSecret } from './redaction/yaml-secrets.ts';

/** Replaces secrets by `‹redacted:kind›`. The number of lines stays the same. */
export function redactText(text: string): Redacted {
  const suspects = suspectLines(text);
  if (suspects.length === 0) return { text, count: 0 };
  const lines = text.split('\n');
  const spans: LineSpans = new Map();
  if (suspects.some((line) => mentionsJsonSecret(lines[line] ?? ''))) findJsonSecrets(lines, spans);
  findSpans(lines, suspects, spans);
  let count = 0;
  for (const [line, found] of spans) {
    const redacted = applySpans(lines[line] ?? '', found);
    lines[line] = redacted.text;
    count += redacted.count;
  }
  return count === 0 ? { text, count } : { text: lines.join('\n'), count };
}

/** The same for one line by itself, as large logs are read. */
export function redactLine(line: string): Redacted {
  if (nextSuspect(line, 0) < 0 && nextJoinToken(line, 0) < 0) return { text: line, count: 0 };
  const spans: LineSpans = new Map([[0, findInLine(line)]]);
  if (mentionsJsonSecret(line)) findJsonSecrets([line], spans);
  return applySpans(line, spans.get(0) ?? []);
}

function findSpans(lines: readonly string[], suspects: readonly number[], spans: LineSpans): void {
  let hiddenUntil = 0;
  let wrappedUntil = 0;
  for (const line of suspects) {
    const text = lines[line] ?? '';
    // Blocks inside a block that is hidden already would be gone through again and again.
    if (line >= hiddenUntil) hiddenUntil = Math.max(hiddenUntil, findBlocks(lines, line, spans));
    const found = findInLine(text);
    for (const span of found) addSpan(spans, line, span);
    if (line >= wrappedUntil) wrappedUntil = findWrappedRest(lines, line, found, spans);
  }
}

const LONGEST_BLOCK_LINE = 2000;

function findBlocks(lines: readonly string[], line: number, spans: LineSpans): number {
  findKeyBody(lines, line, spans);
  if ((lines[line] ?? '').length > LONGEST_BLOCK_LINE) return line;
  findYamlSecret(lines, line, spans);
  findNextLineValue(lines, line, spans);
  return Math.max(findNamedValue(lines, line, spans), findBlockValue(lines, line, spans), findLongString(lines, line, spans));
}

function findInLine(line: string): Span[] {
  const spans = [
    ...findPatterns(line),
    ...findUrlPasswords(line),
    ...findDriverPasswords(line),
    ...findKeyValues(line),
    ...findInlineKeys(line),
  ];
  return spans.sort((left, right) => left.start - right.start);
}

/** Indices of the lines worth a closer look, in order. */
function suspectLines(text: string): number[] {
  const suspects: number[] = [];
  let line = 0;
  let lineStart = 0;
  let suspect = nextSuspect(text, 0);
  let joinToken = nextJoinToken(text, 0);
  while (suspect >= 0 || joinToken >= 0) {
    const place = suspect < 0 || (joinToken >= 0 && joinToken < suspect) ? joinToken : suspect;
    for (let end = text.indexOf('\n', lineStart); end >= 0 && end < place; end = text.indexOf('\n', lineStart)) {
      line += 1;
      lineStart = end + 1;
    }
    suspects.push(line);
    const lineEnd = text.indexOf('\n', place);
    if (lineEnd < 0) break;
    if (suspect >= 0 && suspect < lineEnd) suspect = nextSuspect(text, lineEnd + 1);
    if (joinToken >= 0 && joinToken < lineEnd) joinToken = nextJoinToken(text, lineEnd + 1);
  }
  return suspects;
}
