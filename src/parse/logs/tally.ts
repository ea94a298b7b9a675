import type { Channel, Coverage, Extent } from '../../model/channel.ts';
import { type EntityId, entityOf } from '../../model/entity.ts';
import type { Sink } from '../../model/evidence.ts';
import type { Context } from '../../model/reading.ts';
import type { Attribution } from './attribute.ts';
import type { LogLine } from './log-line.ts';
import type { LogicalLine } from './logical-lines.ts';

interface Covered {
  readonly channel: Channel;
  readonly about: EntityId;
  readonly first: number;
  last: number;
}

/** Keeps count of whose logs were read, for coverage and for the name of the piece. */
export interface Tally {
  see(attribution: Attribution, line: LogLine, where: Pick<LogicalLine, 'first' | 'last'>): void;
  tell(sink: Pick<Sink, 'cover' | 'piece'>, context: Context, declared: boolean): void;
}

const MOST_COVERED = 5000;

export function createTally(): Tally {
  const covered = new Map<string, Covered>();
  const writers = new Map<string, number>();
  const formats = new Map<string, number>();
  let newest: number | undefined;
  return {
    see({ channel, home, component }, line, { first, last }) {
      if (line.when !== undefined) newest = Math.max(newest ?? 0, line.when);
      const key = `${channel}|${home}`;
      const known = covered.get(key);
      if (known) known.last = last;
      else if (covered.size < MOST_COVERED) covered.set(key, { channel, about: home, first, last });
      const writer = line.unit === undefined ? channel : `unit ${component ?? line.unit}`;
      writers.set(writer, (writers.get(writer) ?? 0) + 1);
      formats.set(line.format, (formats.get(line.format) ?? 0) + 1);
    },
    tell(sink, context, declared) {
      if (covered.size === 0) return;
      let first = Number.POSITIVE_INFINITY;
      let last = 0;
      for (const { channel, about, first: start, last: stop } of covered.values()) {
        first = Math.min(first, start);
        last = Math.max(last, stop);
        cover(sink, context, { channel, about, lines: [start + 1, stop + 1], ...(newest === undefined ? {} : { newest }) }, declared);
      }
      sink.piece({ doc: context.doc, lines: [first + 1, last + 1], what: nameOf(most(writers), most(formats)) });
    },
  };
}

function cover(
  sink: Pick<Sink, 'cover'>,
  context: Context,
  log: Pick<Coverage, 'channel' | 'about' | 'newest'> & { readonly lines: readonly [number, number] },
  declared: boolean,
): void {
  const ofContainer = entityOf(log.about).kind === 'Container';
  const extent: Extent = ofContainer && declared && !isCut(context.command, log.lines[1] - log.lines[0] + 1) ? 'whole' : 'excerpt';
  sink.cover({ ...log, extent, doc: context.doc });
  // The log of a control plane's container is a container's log all the same.
  if (ofContainer && log.channel === 'control-plane-log') sink.cover({ ...log, channel: 'container-log', extent, doc: context.doc });
}

/** Whether the command asked for a part of the log only; a tail far longer than what came was all of it. */
function isCut(command: string | undefined, shown: number): boolean {
  if (command === undefined) return false;
  const tail = /\s--tail[= ](?<count>\d{1,9})(?=\s|$)/.exec(command);
  const short = tail !== null && shown * 2 <= Number(tail.groups?.['count']);
  return /\btail\b|--since|--limit-bytes|\||\bgrep\b|\bhead\b/.test(short ? command.replace(tail[0], '') : command);
}

function most(counts: ReadonlyMap<string, number>): string {
  let best = '';
  let bestCount = 0;
  for (const [name, count] of counts) {
    if (count <= bestCount) continue;
    best = name;
    bestCount = count;
  }
  return best;
}

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  klog: 'klog',
  logfmt: 'logfmt',
  logrus: 'logrus',
  json: 'JSON',
  zap: 'zap',
  bracket: 'text',
  application: 'text',
  crash: 'text',
  plain: 'text',
};

function nameOf(writer: string, format: string): string {
  if (writer === 'unit kernel' || writer === 'kernel-log') return 'kernel log';
  if (writer.startsWith('unit ')) return `${writer.slice('unit '.length)} journal`;
  if (writer === 'container-log') return `container log (${FORMAT_NAMES[format] ?? 'text'})`;
  return writer.replace(/-log$/, ' log').replace('control-plane', 'control plane');
}
