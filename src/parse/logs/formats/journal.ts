import { type LogLine, levelOfPriority } from '../log-line.ts';
import { epochOf, monthOf, readStamp, type Stamp } from '../stamp.ts';

const WRITER = /^(?:(?<host>[^\s:[\]]{1,255}) )?(?<unit>[^\s:[\]]{1,128}|\([^\s)]{1,100}\))(?:\[(?<pid>\d{1,10})\])?: ?/;
const SHORT = /^(?<month>\p{L}{3,4}\.?|\d{1,2}月) {1,3}(?<day>\d{1,2}) (?:(?<year>(?:19|20)\d\d) )?(?<time>\d\d:\d\d:\d\d(?:\.\d{1,9})?) /u;
const WEEKDAY = /^[A-Z][a-z]{2} (?=\d{4}-\d\d-\d\d \d\d:)/;
const UNIX = /^(?<seconds>\d{9,10}\.\d{6}) /;
const MONOTONIC = /^\[ {0,12}(?<seconds>\d{1,10}\.\d{3,6})(?: <[^>]{1,40}>)?\] /;
const RFC5424 = /^1 (?<stamp>\S{19,40}) (?<host>\S{1,255}) (?<unit>\S{1,48}) (?<pid>\d+|-) \S{1,32} (?:-|\[[^\]]{0,2000}\]) ?/;
const LEFT_OVER =
  /^(?:\d{1,2} \d\d:\d\d:\d\d )?(?:(?<host>[A-Za-z0-9][\w.-]{0,254}) )?(?<unit>[A-Za-z][\w.@-]{0,63})(?:\[(?<pid>\d{1,10})\])?: /;

/** Programs whose name alone makes a line without a stamp a line of the journal. */
const DAEMONS = new Set([
  'kubelet',
  'containerd',
  'dockerd',
  'docker',
  'crio',
  'cri-o',
  'cri-dockerd',
  'systemd',
  'kernel',
  'etcd',
  'k3s',
  'k3s-agent',
  'rke2',
  'k0s',
  'kube-apiserver',
  'kube-scheduler',
  'kube-controller-manager',
  'kube-proxy',
  'NetworkManager',
  'systemd-oomd',
  'systemd-networkd',
  'systemd-resolved',
  'chronyd',
  'iscsid',
  'multipathd',
  'audit',
  'dockerd-current',
  'microk8s.daemon-kubelite',
]);

/** `Jul 19 20:54:58 host unit[914]: message`, with microseconds or a year too, and in languages that name months otherwise. */
export function parseJournalShort(line: string): LogLine | undefined {
  const match = SHORT.exec(line);
  const groups = match?.groups;
  const month = groups ? monthOf(groups['month'] ?? '') : undefined;
  if (!match || !groups || month === undefined) return undefined;
  const parsed = parseWriter(line.slice(match[0].length));
  if (!parsed) return undefined;
  parsed.timeText = match[0].trimEnd();
  if (groups['year']) {
    const day = (groups['day'] ?? '').padStart(2, '0');
    const stamp = readStamp(`${groups['year']}-${String(month).padStart(2, '0')}-${day} ${groups['time']}`);
    if (stamp) parsed.when = stamp.when;
  }
  return parsed;
}

/** `2024-07-19T20:54:58+0800 host unit[914]: message`; the stamp was read already. */
export function parseJournalIso(line: string, stamp: Stamp | undefined = readStamp(line)): LogLine | undefined {
  if (!stamp) return undefined;
  let at = stamp.end;
  // `short-full` names the zone by letters, which do not say which zone it is.
  const zone = /^ [A-Z]{3,5} /.exec(line.slice(at, at + 8));
  if (zone) at += zone[0].length - 1;
  if (line.charAt(at) !== ' ') return undefined;
  const parsed = parseWriter(line.slice(at + 1), true);
  if (!parsed) return undefined;
  parsed.when = stamp.when;
  parsed.timeText = stamp.text;
  return parsed;
}

/** `Fri 2024-07-19 20:54:58 CST host unit[914]: message` */
export function parseJournalFull(line: string): LogLine | undefined {
  const weekday = WEEKDAY.exec(line);
  return weekday ? parseJournalIso(line.slice(weekday[0].length)) : undefined;
}

/** `1721393698.445104 host unit[914]: message` */
export function parseJournalUnix(line: string): LogLine | undefined {
  const match = UNIX.exec(line);
  if (!match) return undefined;
  const parsed = parseWriter(line.slice(match[0].length));
  if (!parsed) return undefined;
  const when = epochOf(Number(match.groups?.['seconds']));
  if (when !== undefined) parsed.when = when;
  parsed.timeText = match[0].trimEnd();
  return parsed;
}

/** `[ 1234.567890] host unit[914]: message` */
export function parseJournalMonotonic(line: string): LogLine | undefined {
  const match = MONOTONIC.exec(line);
  if (!match) return undefined;
  const rest = line.slice(match[0].length);
  const writer = WRITER.exec(rest)?.groups;
  // The kernel's own log starts the same way: only a host before the program tells them apart.
  if (!writer?.['host'] || (writer['pid'] === undefined && writer['unit'] !== 'kernel')) return undefined;
  const parsed = parseWriter(rest);
  if (parsed) parsed.timeText = match[0].trimEnd();
  return parsed;
}

/** `<30>Jul 19 20:54:58 host unit[914]: message`, `<30>1 2024-07-19T20:54:58Z host unit 914 - - message` */
export function parseSyslogPriority(line: string): LogLine | undefined {
  const match = /^<(?<priority>\d{1,3})>(?=\S)/.exec(line);
  if (!match) return undefined;
  const rest = line.slice(match[0].length);
  const parsed: LogLine = parseRfc5424(rest) ?? { format: 'journal', message: rest };
  const level = levelOfPriority(Number(match.groups?.['priority']));
  if (level) parsed.level = level;
  parsed.wraps = true;
  return parsed;
}

function parseRfc5424(text: string): LogLine | undefined {
  const match = RFC5424.exec(text);
  const groups = match?.groups;
  if (!match || !groups) return undefined;
  const parsed = written(groups, text.slice(match[0].length));
  const stamp = readStamp(groups['stamp'] ?? '');
  if (stamp) {
    parsed.when = stamp.when;
    parsed.timeText = stamp.text;
  }
  return parsed;
}

/** What is left when a paste lost the stamp: ` host kubelet[914]: message`. */
export function parseJournalLeftOver(line: string, isLogLine: (text: string) => boolean): LogLine | undefined {
  const match = LEFT_OVER.exec(line);
  const groups = match?.groups;
  if (!match || !groups) return undefined;
  const rest = line.slice(match[0].length);
  const daemon = DAEMONS.has(groups['unit'] ?? '');
  const certain = daemon && groups['pid'] !== undefined;
  if (!certain && !((daemon || groups['pid'] !== undefined) && isLogLine(rest))) return undefined;
  return written(groups, rest);
}

function parseWriter(text: string, needsHost = false): LogLine | undefined {
  const match = WRITER.exec(text);
  const groups = match?.groups;
  if (!match || !groups || (needsHost && groups['host'] === undefined)) return undefined;
  if (groups['pid'] === undefined && groups['host'] === undefined) return undefined;
  return written(groups, text.slice(match[0].length));
}

function written(groups: Readonly<Record<string, string | undefined>>, message: string): LogLine {
  const parsed: LogLine = { format: 'journal', message, wraps: true };
  if (groups['host'] && groups['host'] !== '-') parsed.host = groups['host'];
  if (groups['unit'] && groups['unit'] !== '-') parsed.unit = groups['unit'];
  if (groups['pid'] && groups['pid'] !== '-') parsed.pid = Number(groups['pid']);
  return parsed;
}
