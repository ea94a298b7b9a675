import { readPairs } from '../key-values.ts';
import { type LogLine, levelOf } from '../log-line.ts';
import { epochOf, readStamp } from '../stamp.ts';

const START = /^(?:time|ts|t|level|lvl|msg|caller|severity|timestamp)=/;
const TTY = /^(?<level>TRAC|DEBU|INFO|WARN|ERRO|FATA|PANI)\[(?<time>[^\]]{1,40})\] ?/;

/** `time="2024-01-02T03:04:05Z" level=error msg="…" key=value`: containerd, dockerd, CRI-O and many more. */
export function parseLogfmt(line: string): LogLine | undefined {
  if (!START.test(line)) return undefined;
  const { fields, open } = readPairs(line, 0);
  const message = fields['msg'] ?? fields['message'] ?? fields['event'];
  const level = levelOf(fields['level'] ?? fields['lvl'] ?? fields['severity']);
  const time = fields['time'] ?? fields['ts'] ?? fields['t'] ?? fields['timestamp'];
  if (message === undefined && !(level && time)) return undefined;
  if (level === undefined && time === undefined) return undefined;
  const parsed: LogLine = { format: 'logfmt', message: message ?? line };
  if (level) parsed.level = level;
  if (time) readTime(time, parsed);
  const source = fields['caller'] ?? fields['file'] ?? fields['source'];
  if (source) parsed.source = source;
  for (const key of ['msg', 'message', 'level', 'lvl', 'time', 'ts', 't', 'timestamp']) delete fields[key];
  if (Object.keys(fields).length > 0) parsed.fields = fields;
  if (open) parsed.open = open;
  return parsed;
}

function readTime(text: string, into: LogLine): void {
  into.timeText = text;
  const when = readStamp(text)?.when ?? epochOf(Number(text));
  if (when !== undefined) into.when = when;
}

/** `ERRO[0012] message   key=value`: what the same programs print to a terminal. */
export function parseLogrusTerminal(line: string): LogLine | undefined {
  const match = TTY.exec(line);
  const groups = match?.groups;
  if (!match || !groups) return undefined;
  const rest = line.slice(match[0].length);
  const parsed: LogLine = { format: 'logrus', message: rest.trim() };
  const level = levelOf(groups['level']);
  if (level) parsed.level = level;
  if (groups['time']) readTime(groups['time'], parsed);
  const at = rest.search(/\s[A-Za-z_][\w.]{0,60}=/);
  if (at < 0) return parsed;
  const pairs = readPairs(rest, at);
  if (pairs.stray > 0 || pairs.count === 0) return parsed;
  parsed.message = rest.slice(0, at).trim();
  parsed.fields = pairs.fields;
  return parsed;
}
