import { addSpan, type LineSpans } from './json-secrets.ts';
import { isSensitiveKey } from './keys.ts';
import { closeQuote, readQuote } from './quotes.ts';
import type { Span } from './spans.ts';
import { isHarmless } from './values.ts';
import { indentOf } from './yaml-secrets.ts';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
const END = '-----END ';

/** Private keys that begin and end on one line, or are cut off there, as inside JSON strings. */
export function findInlineKeys(line: string): Span[] {
  const spans: Span[] = [];
  BEGIN.lastIndex = 0;
  for (let match = BEGIN.exec(line); match; match = BEGIN.exec(line)) {
    const start = match.index + match[0].length;
    const close = line.indexOf(END, start);
    const end = close < 0 ? line.length : close;
    if (line.slice(start, start + 40).replace(/(?:\\r|\\n|["'\s])+/g, '') !== '') spans.push({ start, end, kind: 'private-key' });
    BEGIN.lastIndex = end;
  }
  return spans;
}

const KEY_BODY = /^[\s>|+#*-]{0,40}(?:[A-Za-z0-9+/=]{1,200}|(?:Proc-Type|DEK-Info|Version|Comment): .{1,200})?["',\s]{0,4}$/;
const LONGEST_KEY = 400;

/** The body of a private key that begins on this line and goes on below; its first and last line stay. */
export function findKeyBody(lines: readonly string[], begin: number, spans: LineSpans): void {
  const text = lines[begin] ?? '';
  BEGIN.lastIndex = 0;
  if (!BEGIN.test(text) || text.includes(END, BEGIN.lastIndex)) return;
  let end = begin + 1;
  while (end < lines.length && end - begin < LONGEST_KEY && !/-----(?:BEGIN|END) /.test(lines[end] ?? '')) end += 1;
  const closed = lines[end]?.includes(END) ?? false;
  for (let line = begin + 1; line < end; line += 1) {
    const body = lines[line] ?? '';
    if (!closed && !KEY_BODY.test(body)) return;
    const start = body.length - body.trimStart().length;
    if (!isHarmless(body.trim())) addSpan(spans, line, { start, end: body.trimEnd().length, kind: 'private-key' });
  }
}

const NAME_LINE = /^\s*(?<dash>- )?["']?name["']?:\s*["']?(?<name>[\w.-]{1,200})["']?,?\s*$/i;
const VALUE_LINE = /^\s*(?:- )?["']?value["']?:\s*(?<value>\S.*)$/i;

/** An environment variable whose name and value stand on two lines. Returns the first line after what was hidden. */
export function findNamedValue(lines: readonly string[], nameLine: number, spans: LineSpans): number {
  const groups = NAME_LINE.exec(lines[nameLine] ?? '')?.groups;
  if (!groups || !isSensitiveKey(groups['name'] ?? '')) return nameLine;
  const next = lines[nameLine + 1] ?? '';
  const line = VALUE_LINE.test(next) ? nameLine + 1 : nameLine - 1;
  if (line === nameLine - 1 && groups['dash']) return nameLine;
  const text = lines[line] ?? '';
  const value = VALUE_LINE.exec(text)?.groups?.['value'];
  if (value === undefined) return nameLine;
  if (/^[|>][-+\d]{0,2}$/.test(value)) return hideIndented(lines, line, spans);
  hideValue(text, text.length - value.length, line, 'secret', spans);
  return line + 1;
}

function hideValue(text: string, start: number, line: number, kind: string, spans: LineSpans): void {
  const quote = readQuote(text, start);
  const from = quote ? quote.start : start;
  const end = quote ? closeQuote(text, quote) : text.trimEnd().length;
  if (!isHarmless(text.slice(from, end))) addSpan(spans, line, { start: from, end, kind });
}

const OPEN_KEY = /^\s*(?:- )?["']?(?<name>[\w.-]{1,200})["']?:\s{0,20}(?<block>[|>][-+\d]{0,2})?$/;

/** A sensitive key whose value is a YAML block, or a plain word, on the lines below it. Returns the first line after them. */
export function findBlockValue(lines: readonly string[], keyLine: number, spans: LineSpans): number {
  const groups = OPEN_KEY.exec((lines[keyLine] ?? '').trimEnd())?.groups;
  if (!groups || !isSensitiveKey(groups['name'] ?? '')) return keyLine;
  const next = lines[keyLine + 1] ?? '';
  const isPlain = indentOf(next) > indentOf(lines[keyLine] ?? '') && /^\s*[^\s:{[-][^\s:]*\s*$/.test(next.slice(0, 1000));
  return groups['block'] !== undefined || isPlain ? hideIndented(lines, keyLine, spans) : keyLine;
}

function hideIndented(lines: readonly string[], keyLine: number, spans: LineSpans): number {
  const column = indentOf(lines[keyLine] ?? '');
  let line = keyLine + 1;
  for (; line < lines.length && line - keyLine < 1000; line += 1) {
    const text = lines[line] ?? '';
    const indent = indentOf(text);
    if (indent === text.length) continue;
    if (indent <= column) break;
    if (!isHarmless(text.trim())) addSpan(spans, line, { start: indent, end: text.trimEnd().length, kind: 'secret' });
  }
  return line;
}

const LONG_STRING = /^\s*["']?(?<name>[\w.-]{1,200})["']?\s{0,20}=\s{0,20}(?<quotes>"""|''')/;
const LONGEST_STRING = 1000;

/** A sensitive key whose value is a TOML string over several lines. Returns the first line after it. */
export function findLongString(lines: readonly string[], keyLine: number, spans: LineSpans): number {
  const first = lines[keyLine] ?? '';
  const match = LONG_STRING.exec(first);
  const { name = '', quotes = '"""' } = match?.groups ?? {};
  if (!match || !isSensitiveKey(name)) return keyLine;
  for (let line = keyLine; line < lines.length && line - keyLine < LONGEST_STRING; line += 1) {
    const text = lines[line] ?? '';
    const start = line === keyLine ? match[0].length : 0;
    const close = text.indexOf(quotes, start);
    const end = close < 0 ? text.length : close;
    if (end > start && !isHarmless(text.slice(start, end).trim())) addSpan(spans, line, { start, end, kind: 'secret' });
    if (close >= 0) return line + 1;
  }
  return keyLine + 1;
}

const LONE_FLAG = /^\s*(?:- )?["']?--?(?<name>[\w.-]{1,100})["']?,?\s*$/;
const ANNOUNCED = /\b(?:certificate key|token|password):\s*$/i;

/** The value alone on the line below its flag, or below the sentence that announces it. */
export function findNextLineValue(lines: readonly string[], line: number, spans: LineSpans): void {
  const text = lines[line] ?? '';
  const next = lines[line + 1] ?? '';
  const flag = LONE_FLAG.exec(text)?.groups?.['name'];
  const item = /^\s*(?:- )?/.exec(next)?.[0].length ?? 0;
  if (flag !== undefined && isSensitiveKey(flag) && !/^["']?-/.test(next.slice(item))) {
    if (next.slice(item).trim() !== '') hideValue(next, item, line + 1, 'secret', spans);
    return;
  }
  const announced = text.length < 300 && ANNOUNCED.test(text) && /^\s*[A-Za-z0-9._+/=-]{16,200}\s*$/.test(next);
  if (announced && /\d/.test(next)) hideValue(next, indentOf(next), line + 1, 'key', spans);
}

/** A terminal breaks long tokens into lines; those after the first hold nothing else. Returns the first line after them. */
export function findWrappedRest(lines: readonly string[], line: number, found: readonly Span[], spans: LineSpans): number {
  const width = lines[line]?.length ?? 0;
  const last = found.find((span) => span.end === width && span.end - span.start >= 40);
  if (width < 60 || !last) return line;
  let next = line + 1;
  for (; next < lines.length && next - line < 100; next += 1) {
    const text = lines[next] ?? '';
    const isPiece = text.length >= 8 && text.length <= width && /^[A-Za-z0-9_.+/=-]+$/.test(text);
    if (!isPiece || !/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text)) return next;
    addSpan(spans, next, { start: 0, end: text.length, kind: last.kind });
    if (text.length < width) return next + 1;
  }
  return next;
}
