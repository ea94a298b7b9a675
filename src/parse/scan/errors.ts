import { innermostOf, isGeneric } from './error-chain.ts';
import { type Level, levelOf, readHead } from './error-head.ts';
import { tellsEnd, tellsError, tellsTrouble } from './error-words.ts';

/** Of longer text the beginning and the end are read: where it says what it is about, and its last words. */
const HEAD_LIMIT = 12 * 1024;
const TAIL_LIMIT = 4 * 1024;
const MESSAGE_LIMIT = 1000;

export interface ReadError {
  readonly level: 'fatal' | 'error' | 'warning';
  /** Without stamp, host, program and fields around it. */
  readonly message: string;
  /** The innermost link of a wrapped error: what one would search for. */
  readonly innermost: string;
}

/** Decides whether a line or message tells an error, by its level where one is known, else by its words, and finds its core. */
export function readError(text: string, level?: Level, component?: string): ReadError | undefined {
  const near = text.length <= HEAD_LIMIT + TAIL_LIMIT ? text : `${text.slice(0, HEAD_LIMIT)}\n${text.slice(-TAIL_LIMIT)}`;
  const head = readHead(near, component);
  const said = readFields(head.rest);
  const told = level ?? head.level ?? said.level;
  const whole = said.error ? `${said.message}: ${said.error}` : said.message;
  const severity = severityOf(told, whole, said.error);
  if (!severity || whole.trim() === '') return undefined;
  return { level: severity, message: clipMessage(whole), innermost: coreOf(said) || clipMessage(whole) };
}

function coreOf({ message, error, printed }: Said): string {
  if (error === undefined) return innermostOf(message);
  const core = innermostOf(error);
  if (!isGeneric(core)) return core;
  const output = printed === undefined ? '' : innermostOf(printed);
  return output.trim() === '' ? `${innermostOf(message)}: ${core}` : output;
}

function severityOf(told: Level | undefined, text: string, error: string | undefined): ReadError['level'] | undefined {
  if (told === 'info') return undefined;
  if (told === 'fatal' || told === 'error') return told;
  if (told === 'warning') return error || tellsTrouble(text) ? 'warning' : undefined;
  if (tellsEnd(text)) return 'fatal';
  return error || tellsError(text) ? 'error' : undefined;
}

function clipMessage(text: string): string {
  const plain = text.trim().replace(/\s+/g, ' ');
  return plain.length <= MESSAGE_LIMIT ? plain : `${plain.slice(0, MESSAGE_LIMIT - 1)}…`;
}

interface Said {
  readonly message: string;
  readonly error?: string;
  /** What a command that failed had printed. */
  readonly printed?: string;
  readonly level?: Level;
}

const ERROR_FIELD = /(?:^|\s)(?:err|error|exception)=|"(?:err|error|exception)":\s?/g;
const PRINTED_FIELD = /\s(?:stderr|errorOutput|output)=(?="[^"])/;
/** A plain value may hold spaces (logrus with a formatter of its own); it ends where the next field begins. */
const PLAIN_VALUE = /^(?:(?![\s,}]{1,3}[A-Za-z][\w.-]{0,60}=)[^\n]){1,300}/;
const MESSAGE_FIELD = /(?:^|[\s,{])(?:(?:msg|message)=|"(?:msg|message)":\s?)(?=")/;
const EMPTY_VALUE = /^(?:<nil>|nil|null|none|false|0|""|\{\}|\[\])?$/i;

/** Takes message and error out of structured lines: JSON, logfmt, klog's quoted message with fields. */
function readFields(text: string): Said {
  if (text.startsWith('{')) {
    const said = readObject(text);
    if (said) return said;
  }
  const field = MESSAGE_FIELD.exec(text);
  const start = text.startsWith('"') ? 0 : field ? field.index + field[0].length : -1;
  const message = start < 0 ? undefined : readQuoted(text, start);
  const around = message ? `${text.slice(0, start)} ${text.slice(message.end)}` : text;
  const error = readErrorField(around);
  if (!error) return { message: message?.value ?? text };
  const printed = PRINTED_FIELD.exec(around);
  return {
    message: message?.value ?? withoutFields(text),
    error,
    ...(printed ? { printed: readQuoted(around, printed.index + printed[0].length).value } : {}),
  };
}

/** Words before the first `key=` of a line that has fields. */
function withoutFields(text: string): string {
  const words = /^[^=]{1,2000}(?=\s[\w.-]{1,60}=)/.exec(text)?.[0] ?? '';
  return words.trim() === '' ? text : words;
}

function readErrorField(text: string): string | undefined {
  ERROR_FIELD.lastIndex = 0;
  for (let tries = 0; tries < 8; tries++) {
    const match = ERROR_FIELD.exec(text);
    if (!match) return undefined;
    const at = ERROR_FIELD.lastIndex;
    const plain = match[0].endsWith('=') ? PLAIN_VALUE : /^[^\s,}]{1,300}/;
    const value = text[at] === '"' ? readQuoted(text, at).value : plain.exec(text.slice(at, at + 300))?.[0];
    if (value && !EMPTY_VALUE.test(value.trim())) return value.trim();
  }
  return undefined;
}

/** The string literal that starts at `at`; an unclosed one runs to the end. */
function readQuoted(text: string, at: number): { value: string; end: number } {
  let value = '';
  let from = at + 1;
  while (from < text.length) {
    const stop = nextSpecial(text, from);
    value += text.slice(from, stop);
    from = stop + 1;
    if (text[stop] !== '\\') break;
    const escaped = text[stop + 1];
    value += escaped === 'n' ? '\n' : escaped === 't' ? '\t' : (escaped ?? '');
    from = stop + 2;
  }
  return { value, end: from };
}

function nextSpecial(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '"' || text[at] === '\\') return at;
  return text.length;
}

function readObject(text: string): Said | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  const message = textIn(fields, ['msg', 'message', 'log', 'text', 'event']);
  const error = textIn(fields, ['error', 'err', 'exception', 'cause', 'reason', 'errorMessage']);
  const level = levelOf(textIn(fields, ['level', 'severity', 'lvl', 'log.level']));
  if (message === undefined && error === undefined) return undefined;
  return {
    message: message ?? error ?? '',
    ...(message !== undefined && error !== undefined && !EMPTY_VALUE.test(error) ? { error } : {}),
    ...(level ? { level } : {}),
  };
}

function textIn(fields: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'number') return String(value);
    const nested = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)['message'] : undefined;
    if (typeof nested === 'string') return nested;
  }
  return undefined;
}
