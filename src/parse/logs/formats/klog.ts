import { readQuoted } from '../go-quote.ts';
import { readPairs } from '../key-values.ts';
import { type LogLine, levelOf } from '../log-line.ts';
import { readStamp } from '../stamp.ts';

const HEADER =
  /^(?<level>[IWEFD])(?<year>(?:19|20)\d\d)?(?<day>\d{4}) (?<time>\d\d:\d\d:\d\d(?:\.\d{1,9})?)\s+(?<pid>\d{1,10}) (?<source>[^\s:\]]{1,200}:\d{1,6})\] ?/;

/** `E0719 20:54:58.447705  914 pod_workers.go:1298] "message" key="value"` and the older form with free text. */
export function parseKlog(line: string): LogLine | undefined {
  const second = line.charCodeAt(1);
  if (second < 48 || second > 57) return undefined;
  const match = HEADER.exec(line);
  const groups = match?.groups;
  if (!match || !groups) return undefined;
  const parsed: LogLine = { format: 'klog', message: '', timeText: `${groups['year'] ?? ''}${groups['day']} ${groups['time']}` };
  const level = levelOf(groups['level']);
  if (level) parsed.level = level;
  parsed.pid = Number(groups['pid']);
  if (groups['source']) parsed.source = groups['source'];
  const day = groups['day'] ?? '';
  const stamp = groups['year'] ? readStamp(`${groups['year']}-${day.slice(0, 2)}-${day.slice(2)} ${groups['time']}`) : undefined;
  if (stamp) parsed.when = stamp.when;
  readKlogBody(line.slice(match[0].length), parsed);
  return parsed;
}

/** Sets message and fields from what stands behind the header. */
function readKlogBody(body: string, into: LogLine): void {
  into.message = body.trim();
  if (!body.startsWith('"')) return;
  const quoted = readQuoted(body, 0);
  if (!quoted.closed) {
    into.message = quoted.text;
    into.open = 'quote';
    return;
  }
  const next = body.charAt(quoted.end);
  if (next !== '' && next.trim() !== '') return;
  into.message = quoted.text;
  const pairs = readPairs(body, quoted.end);
  if (pairs.count > 0) into.fields = pairs.fields;
  if (pairs.open) into.open = pairs.open;
}
