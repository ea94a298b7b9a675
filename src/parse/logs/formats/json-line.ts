import { type Level, type LogLine, levelOf, levelOfPriority } from '../log-line.ts';
import { epochOf, readStamp } from '../stamp.ts';

const LONGEST = 4_000_000;
const MESSAGE_KEYS = ['msg', 'message', '@message', '@m', 'event', 'textPayload', 'short_message'] as const;
const LEVEL_KEYS = ['level', 'severity', 'lvl', 'loglevel', 'log.level', '@level', '@l', 's', 'levelname'] as const;
const TIME_KEYS = ['ts', 'time', 'timestamp', '@timestamp', '@t', 't', 'asctime', 'eventTime'] as const;
const DROPPED = new Set<string>([...MESSAGE_KEYS, ...TIME_KEYS, 'level', 'severity', '@level', 'v', 'stacktrace', 'stack']);

/** Programs that put what they log into one object: MongoDB, Serilog, slog groups and others. */
const HOLDERS = ['attr', 'attributes', 'Properties', 'fields', 'context', 'data', 'extra'] as const;

type Json = Readonly<Record<string, unknown>>;

/** One JSON object per line: zap, klog, pino, logstash and the like; docker's log files; `journalctl -o json`. */
export function parseJsonLine(line: string): LogLine | undefined {
  const text = line.trimEnd();
  if (!text.startsWith('{') || !text.endsWith('}') || text.length > LONGEST) return undefined;
  if (!/"(?:@?m(?:sg|essage)?|MESSAGE|log|event|textPayload|short_message)"/.test(text)) return undefined;
  const object = parseObject(text);
  if (!object || 'apiVersion' in object || 'kind' in object) return undefined;
  if (typeof object['log'] === 'string' && 'stream' in object) return fromDocker(object);
  if ('MESSAGE' in object) return fromJournal(object);
  return fromStructured(object);
}

function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** `{"log":"text\n","stream":"stderr","time":"…"}` */
function fromDocker(object: Json): LogLine {
  const raw = String(object['log']);
  const parsed: LogLine = { format: 'docker-json', message: raw.replace(/\r?\n$/, ''), wraps: true };
  if (!raw.endsWith('\n')) parsed.open = 'partial';
  setTime(object['time'], parsed);
  return parsed;
}

function fromJournal(object: Json): LogLine | undefined {
  const message = journalText(object['MESSAGE']);
  if (message === undefined) return undefined;
  const parsed: LogLine = { format: 'journal', message, wraps: true };
  const kernel = object['_TRANSPORT'] === 'kernel';
  const unit = kernel ? 'kernel' : (text(object['SYSLOG_IDENTIFIER']) ?? text(object['_SYSTEMD_UNIT']) ?? text(object['_COMM']));
  if (unit) parsed.unit = unit.replace(/\.service$/, '');
  const host = text(object['_HOSTNAME']);
  if (host) parsed.host = host;
  const pid = Number(text(object['_PID']) ?? Number.NaN);
  if (Number.isInteger(pid)) parsed.pid = pid;
  const level = levelOfPriority(Number(text(object['PRIORITY']) ?? -1));
  // The journal files whatever a program prints under one priority, so `info` says nothing.
  if (level && level !== 'info') parsed.level = level;
  setTime(Number(text(object['__REALTIME_TIMESTAMP']) ?? text(object['_SOURCE_REALTIME_TIMESTAMP'])), parsed);
  return parsed;
}

/** The journal prints a message that is no clean UTF-8 as a list of bytes. */
function journalText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  const bytes = value.filter((byte): byte is number => Number.isInteger(byte) && byte >= 0 && byte < 256);
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

function fromStructured(object: Json): LogLine | undefined {
  const message = first(object, MESSAGE_KEYS);
  const level = jsonLevel(object);
  const time = TIME_KEYS.map((key) => object[key]).find((value) => value !== undefined);
  if (message === undefined || (level === undefined && time === undefined)) return undefined;
  const causes = causesIn(object, message);
  const parsed: LogLine = { format: 'json', message: causes.length === 0 ? message : `${message}\n${causes.join('\n')}` };
  if (level) parsed.level = level;
  setTime(time, parsed);
  const source = text(object['caller']) ?? text(object['source']);
  if (source) parsed.source = source;
  const component = text(object['logger']) ?? text(object['@module']) ?? text(object['component']);
  if (component) parsed.component = component;
  const fields = flatFields(object);
  if (fields) parsed.fields = fields;
  return parsed;
}

const TRACE_KEYS = ['error.stack_trace', 'stack_trace', 'stacktrace', 'exception.stacktrace', 'exception'] as const;
const MOST_CAUSES = 6;

/** The errors behind the error, which Java names in its trace only; where they happened does not matter. */
function causesIn(object: Json, message: string): string[] {
  const error = object['error'];
  const nested = typeof error === 'object' && error !== null ? [(error as Json)['stack_trace']] : [];
  for (const value of [...TRACE_KEYS.map((key) => object[key]), ...nested]) {
    const trace = Array.isArray(value) ? value.filter((part) => typeof part === 'string').join('\n') : value;
    if (typeof trace !== 'string' || !/Caused by: |Suppressed: /.test(trace)) continue;
    const causes = trace
      .split('\n')
      .map((part) => part.trim())
      .filter((part) => /^(?:Caused by|Suppressed): /.test(part) && !message.includes(part));
    return [...new Set(causes)].slice(0, MOST_CAUSES).map((part) => part.slice(0, 400));
  }
  return [];
}

function jsonLevel(object: Json): Level | undefined {
  for (const key of LEVEL_KEYS) {
    const value = object[key];
    if (typeof value === 'string') {
      const level = levelOf(value);
      if (level) return level;
    }
    // pino and bunyan count in tens: 30 info, 40 warn, 50 error, 60 fatal.
    if (typeof value === 'number' && value >= 10) return value >= 60 ? 'fatal' : value >= 50 ? 'error' : value >= 40 ? 'warning' : 'info';
  }
  const log = object['log'];
  return typeof log === 'object' && log !== null ? levelOf(text((log as Json)['level'])) : undefined;
}

function setTime(value: unknown, into: LogLine): void {
  const inner = typeof value === 'object' && value !== null ? (value as Json)['$date'] : value;
  if (typeof inner === 'number') {
    const when = epochOf(inner);
    if (when !== undefined) into.when = when;
  } else if (typeof inner === 'string') {
    into.timeText = inner;
    const when = readStamp(inner)?.when ?? epochOf(Number(inner));
    if (when !== undefined) into.when = when;
  }
}

function flatFields(object: Json): Record<string, string> | undefined {
  const fields: Record<string, string> = {};
  let count = 0;
  for (const [key, value] of [...Object.entries(object), ...heldFields(object)]) {
    if (key in fields) continue;
    if (count >= 60 || DROPPED.has(key)) continue;
    const flat = flatText(value);
    if (flat === undefined) continue;
    fields[key] = flat;
    count += 1;
  }
  return count > 0 ? fields : undefined;
}

function heldFields(object: Json): [string, unknown][] {
  return HOLDERS.flatMap((key) => {
    const held = object[key];
    return typeof held === 'object' && held !== null && !Array.isArray(held) ? Object.entries(held) : [];
  });
}

function flatText(value: unknown): string | undefined {
  const plain = text(value);
  if (plain !== undefined) return plain;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { message, name, namespace } = value as Json;
  if (typeof message === 'string') return message;
  // klog writes a reference to an object as its name and namespace.
  return typeof name === 'string' ? (typeof namespace === 'string' ? `${namespace}/${name}` : name) : undefined;
}

function first(object: Json, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = object[key];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
