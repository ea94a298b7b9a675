import type { BlockReader } from '../../model/reading.ts';
import { type Field, fieldAt, fieldOf, readFields } from './fields.ts';
import { takeLines } from './output.ts';
import { cite, insideContainer, scopeOf } from './scope.ts';

const TRACKING: ReadonlySet<string> = new Set([
  'Reference ID',
  'Stratum',
  'Ref time (UTC)',
  'System time',
  'Last offset',
  'RMS offset',
  'Frequency',
  'Residual freq',
  'Skew',
  'Root delay',
  'Root dispersion',
  'Update interval',
  'Leap status',
]);
const OFFSET = /^(?<seconds>\d{1,12}(?:\.\d{1,12})?) seconds (?<way>slow|fast) of NTP time$/;

function offsetOf(field: Field | undefined): number | undefined {
  const groups = OFFSET.exec(field?.value ?? '')?.groups;
  if (!groups) return undefined;
  const seconds = Number(groups['seconds']);
  return groups['way'] === 'slow' ? -seconds : seconds;
}

/** `chronyc tracking` */
export const chronyReader: BlockReader = {
  what: 'chronyc tracking',
  read(lines, from, context, sink) {
    const first = fieldAt(lines, from)?.key;
    if ((first !== 'Reference ID' && first !== 'Leap status' && first !== 'System time') || insideContainer(context)) return from;
    const { fields, end } = readFields(lines, from, (field) => field !== undefined && TRACKING.has(field.key));
    const leap = fieldOf(fields, 'Leap status');
    const offset = offsetOf(fieldOf(fields, 'System time'));
    if (!leap && offset === undefined) return from;
    const scope = scopeOf(lines, context, sink);
    const synchronized = leap ? !/^Not synchroni[sz]ed/i.test(leap.value) : fieldOf(fields, 'Stratum')?.value !== '0';
    // Without a source the offset is measured against nothing.
    const far = synchronized && offset !== undefined ? { offsetSeconds: offset } : {};
    sink.fact('host.clock', scope.node, { synchronized, ...far }, cite(scope, leap?.line ?? from));
    return takeLines(scope, from, end);
  },
};

const SOURCES = /^MS Name\/IP address\s+Stratum Poll Reach LastRx Last sample\s*$/;
const SOURCE = /^(?<mode>[\^=#])(?<state>[*+?x~-]) \S{1,100}\s+\d{1,2}\s+\d{1,2}\s+\d{1,3}\s/;
const PEERS = /^\s{1,10}remote\s+refid\s+st\s+t\s+when\s+poll\s+reach\s+delay\s+offset\s+jitter\s*$/;
const PEER = /^(?<state>[ *+#ox.-])\S{1,60}\s+\S{1,40}\s+\d{1,2}\s+\w\s+\S{1,8}\s+\d{1,6}\s+\d{1,3}\s/;

/** `chronyc sources` and `ntpq -p`: the star stands before the source the clock follows. */
export const timeSourceReader: BlockReader = {
  what: 'time sources',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 200);
    const [chrony, ntp] = [SOURCES.test(first), PEERS.test(first)];
    if (insideContainer(context) || (!chrony && !ntp)) return from;
    const scope = scopeOf(lines, context, sink);
    let followed = -1;
    let sources = 0;
    let end = from + 1;
    for (; end < lines.length; end++) {
      const line = (lines[end] ?? '').slice(0, 300);
      const state = (chrony ? SOURCE : PEER).exec(line)?.groups?.['state'];
      if (state === undefined && !/^={20,}\s*$/.test(line)) break;
      if (state !== undefined) sources++;
      if (state === '*' || state === 'o') followed = end;
    }
    if (sources > 0) sink.fact('host.clock', scope.node, { synchronized: followed >= 0 }, cite(scope, followed >= 0 ? followed : from));
    return takeLines(scope, from, end);
  },
};

const NTPSTAT = /^(?<not>un)?synchroni[sz]ed(?: to \S.{0,120})?\s*$/;

/** `ntpstat` */
export const ntpstatReader: BlockReader = {
  what: 'ntpstat',
  read(lines, from, context, sink) {
    const groups = NTPSTAT.exec((lines[from] ?? '').slice(0, 200))?.groups;
    if (!groups || insideContainer(context) || !/\bntpstat\b/.test(context.command ?? '')) return from;
    const scope = scopeOf(lines, context, sink);
    sink.fact('host.clock', scope.node, { synchronized: groups['not'] === undefined }, cite(scope, from));
    return takeLines(scope, from, from + 1);
  },
};
