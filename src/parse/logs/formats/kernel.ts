import { type LogLine, levelOf } from '../log-line.ts';
import { epochOf, readStamp } from '../stamp.ts';

const SINCE_BOOT = /^\[ {0,12}(?<seconds>\d{1,10}\.\d{4,9})\](?:\[ {0,6}[TC]\d{1,10}\])? ?/;
const WALL_CLOCK = /^\[(?<stamp>[A-Z][a-z]{2} [A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d \d{4})\] ?/;
const FACILITY = /^(?:kern|user|daemon|syslog|auth|mail) {0,4}:(?<level>emerg|alert|crit|err|warn|notice|info|debug) {0,4}: (?=\[)/;
const AUDIT = /^type=(?<type>[A-Z_0-9]{2,30}) msg=audit\((?<seconds>\d{9,10}\.\d{3}):\d+\): ?/;

/** `[12345.678901] text`, `[Sat Nov 16 10:00:00 2024] text`, with the facility that `dmesg -x` adds. */
export function parseKernel(line: string): LogLine | undefined {
  const facility = FACILITY.exec(line);
  const text = facility ? line.slice(facility[0].length) : line;
  const since = SINCE_BOOT.exec(text);
  const wall = since ? null : WALL_CLOCK.exec(text);
  const match = since ?? wall;
  if (!match) return undefined;
  const parsed: LogLine = { format: 'kernel', unit: 'kernel', message: text.slice(match[0].length), timeText: match[0].trim() };
  const stamp = wall ? readStamp(wall.groups?.['stamp'] ?? '') : undefined;
  if (stamp) parsed.when = stamp.when;
  const level = levelOf(facility?.groups?.['level']);
  if (level) parsed.level = level;
  return parsed;
}

/** `type=AVC msg=audit(1700000000.123:456): avc:  denied …`: the audit daemon's file. */
export function parseAudit(line: string): LogLine | undefined {
  const match = AUDIT.exec(line);
  const groups = match?.groups;
  if (!match || !groups) return undefined;
  const parsed: LogLine = { format: 'kernel', unit: 'kernel', message: `type=${groups['type']} ${line.slice(match[0].length)}` };
  const when = epochOf(Number(groups['seconds']));
  if (when !== undefined) parsed.when = when;
  return parsed;
}
