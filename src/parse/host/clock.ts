import type { BlockReader } from '../../model/reading.ts';
import { fieldAt, fieldOf, readFields } from './fields.ts';
import { cite, cover, insideContainer, scopeOf } from './scope.ts';
import { commandIs } from './text.ts';

const KEYS: ReadonlySet<string> = new Set([
  'Local time',
  'Universal time',
  'RTC time',
  'Time zone',
  'System clock synchronized',
  'NTP synchronized',
  'NTP service',
  'NTP enabled',
  'Network time on',
  'systemd-timesyncd.service active',
  'RTC in local TZ',
  'DST active',
]);

/** `timedatectl`: whether something keeps the host's clock right. */
export const clockReader: BlockReader = {
  what: 'timedatectl',
  read(lines, from, context, sink) {
    const first = fieldAt(lines, from)?.key;
    if (first === undefined || !KEYS.has(first) || insideContainer(context)) return from;
    const { fields, end } = readFields(lines, from, (field) => field !== undefined && KEYS.has(field.key));
    const synchronized = fieldOf(fields, 'System clock synchronized') ?? fieldOf(fields, 'NTP synchronized');
    if (fields.length < 3) return from;
    const scope = scopeOf(lines, context, sink);
    if (synchronized && /^(?:yes|no)$/.test(synchronized.value)) {
      sink.fact('host.clock', scope.node, { synchronized: synchronized.value === 'yes' }, cite(scope, synchronized.line));
    }
    cover(scope, 'host-state', 'excerpt', from, end);
    return end;
  },
};

/** Readings that are kept for the eye: what they print is known by the command, and no fact rests on it. */
const GLANCES: readonly (readonly [command: RegExp, line: RegExp])[] = [
  [/^(?:sudo )?date\b/, /^(?:[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\d[T ]\d\d:\d\d)/],
  [/\/proc\/uptime\b/, /^\d{1,12}\.\d\d \d{1,14}\.\d\d$/],
  [/\/proc\/loadavg\b/, /^\d{1,6}\.\d\d \d{1,6}\.\d\d \d{1,6}\.\d\d \d{1,7}\/\d{1,8} \d{1,9}$/],
  [/\/proc\/meminfo\b/, /^[A-Z][\w()]{2,30}:\s+\d{1,15} kB$/],
  [/^(?:sudo )?(?:ss|netstat)\b/, /^(?:Active UNIX|Proto RefCnt|unix\s+\d|u_(?:str|dgr|seq)\s)/],
];

export const glanceReader: BlockReader = {
  what: 'state of the host',
  read(lines, from, context, sink) {
    if (context.command === undefined || insideContainer(context)) return from;
    const known = GLANCES.find(([command]) => commandIs(context, command))?.[1];
    if (!known) return from;
    let end = from;
    while (end < lines.length && known.test((lines[end] ?? '').slice(0, 300).trimEnd())) end++;
    if (end === from) return from;
    const scope = scopeOf(lines, context, sink);
    cover(scope, 'host-state', 'excerpt', from, end);
    // Causes know lines of them, such as who listens on a port.
    for (let line = from; line < end; line++) {
      sink.said({ channel: 'host-tools', about: scope.node, text: lines[line] ?? '', cited: cite(scope, line), level: 'info' });
    }
    return end;
  },
};
