import { type LogLine, levelOf } from '../log-line.ts';
import { epochOf, readStamp, type Stamp } from '../stamp.ts';

const LEVEL = /^(?:\t| {1,8})(?<level>DEBUG|INFO|WARN|ERROR|DPANIC|PANIC|FATAL|debug|info|warn|error|dpanic|panic|fatal)(?:\t| {2,8})/;
const EPOCH = /^(?<seconds>\d{10}\.\d{1,9}|\d\.\d{4,20}e\+09)(?=[\t ])/;
const SOURCE = /^[\w@./-]{1,200}\.go:\d{1,6}$/;

/** `2024-01-02T03:04:05.678Z⇥INFO⇥setup⇥main.go:12⇥message⇥{"key": "value"}` */
export function parseZapConsole(line: string, stamp: Stamp | undefined = readStamp(line)): LogLine | undefined {
  const epoch = stamp ? undefined : EPOCH.exec(line);
  const end = stamp?.end ?? epoch?.[0].length;
  if (end === undefined) return undefined;
  const match = LEVEL.exec(line.slice(end, end + 32));
  if (!match) return undefined;
  const columns = line.slice(end + match[0].length).split(/\t| {3,8}/, 12);
  const parsed: LogLine = { format: 'zap', message: '', timeText: line.slice(0, end) };
  const when = stamp?.when ?? epochOf(Number(epoch?.groups?.['seconds']));
  if (when !== undefined) parsed.when = when;
  const level = levelOf(match.groups?.['level']);
  if (level) parsed.level = level;
  const last = columns.at(-1) ?? '';
  if (columns.length > 1 && last.startsWith('{')) {
    columns.pop();
    const fields = jsonFields(last);
    if (fields) parsed.fields = fields;
  }
  const at = columns.findIndex((column) => SOURCE.test(column));
  if (at >= 0) parsed.source = columns[at] ?? '';
  if (at > 0 && columns[0]) parsed.component = columns[0];
  parsed.message = columns
    .slice(at + 1)
    .join(' ')
    .trim();
  return parsed;
}

function jsonFields(text: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const fields: Record<string, string> = {};
    for (const [key, one] of Object.entries(value).slice(0, 40)) {
      if (typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean') fields[key] = String(one);
    }
    return fields;
  } catch {
    return undefined;
  }
}
