import type { TimelineEntry } from '../../model/report.ts';
import { duration } from '../../text/format.ts';
import { type Context, contentWidth, section } from './context.ts';
import { wrap } from './wrap.ts';

const LAST_DATE = 8.64e15;

export function timelineLines(context: Context, entries: readonly TimelineEntry[]): string[] {
  const { clean, color, say } = context;
  const width = contentWidth(context);
  const lines = entries.flatMap((entry) => {
    const times = entry.count > 1 ? `, ${say('time.times', { count: entry.count })}` : '';
    const paint = entry.tone === 'bad' ? color.red : entry.tone === 'warn' ? color.yellow : color.dim;
    return [
      ...wrap(`${when(context, entry)}${times}`, width).map(paint),
      ...wrap(`${clean(entry.about)}: ${clean(entry.what)}`, width - 2).map((line) => `  ${line}`),
    ];
  });
  return section(context, say('head.timeline'), lines);
}

function when(context: Context, entry: TimelineEntry): string {
  const { say } = context;
  if (entry.at !== undefined && Math.abs(entry.at) <= LAST_DATE) return new Date(entry.at).toISOString().replace('.000Z', 'Z');
  if (entry.ago === undefined) return '?';
  const from = duration(entry.ago, say);
  const to = entry.untilAgo === undefined ? from : duration(entry.untilAgo, say);
  return from === to ? say('time.ago', { duration: from }) : say('time.span', { from, to });
}
