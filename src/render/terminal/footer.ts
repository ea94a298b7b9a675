import type { Report } from '../../model/report.ts';
import { placeLabel } from '../../text/citation-label.ts';
import { cap, size } from '../../text/format.ts';
import type { Context } from './context.ts';
import { shortLabel } from './label.ts';
import { truncate, widthOf } from './pad.ts';
import { wrap } from './wrap.ts';

const SHOWN = 2;
const LABEL_ROOM = 26;

interface Item {
  readonly name: string;
  readonly says: string;
  readonly more: string;
}

/** What could not be read, was not recognised, or broke: a short line each. */
export function footerLines(context: Context, report: Report): string[] {
  const { say } = context;
  const { elsewhere } = report;
  return [
    ...(elsewhere === undefined ? [] : [`  ${context.color.dim(say('more.elsewhere', { count: elsewhere }))}`]),
    ...items(context, say('head.unread'), unread(context, report)),
    ...items(context, say('head.unrecognised'), unrecognised(context, report)),
    ...items(
      context,
      say('head.failures'),
      report.failures.map((failure) => ({ name: failure.cause, says: context.verbose ? failure.message : '', more: '' })),
    ),
  ];
}

function unread(context: Context, report: Report): Item[] {
  return report.coverage.unread.map((entry) => ({
    name: entry.doc,
    says: entry.why,
    more: [...(entry.size === undefined ? [] : [size(entry.size, context.say)]), ...(entry.command ? [entry.command] : [])].join(', '),
  }));
}

function unrecognised(context: Context, report: Report): Item[] {
  return report.coverage.unrecognised.map((entry) => ({
    name: placeLabel(entry.doc, entry.lines),
    says: context.say('summary.lines', { count: entry.lines[1] - entry.lines[0] + 1 }),
    more: `${size(entry.bytes, context.say)}: ${entry.firstLine}`,
  }));
}

function items(context: Context, heading: string, all: readonly Item[]): string[] {
  const { clean, color, glyphs, say } = context;
  const { shown, left } = context.verbose ? { shown: all, left: 0 } : cap(all, SHOWN);
  const lines = shown.flatMap((item) => {
    const name = shortLabel(context, item.name, LABEL_ROOM);
    const says = [item.says, ...(context.verbose ? [item.more] : [])].map(clean).filter((part) => part !== '');
    const line = [`${heading}: ${name}`, ...says].join(', ');
    return context.verbose ? wrap(line, context.width - 2) : [truncate(line, context.width - 2, glyphs.ellipsis)];
  });
  const rest = left > 0 ? more(lines, ` (${say('more.count', { count: left })})`, context.width - 2) : lines;
  return rest.map((line) => `  ${color.dim(line)}`);
}

function more(lines: readonly string[], note: string, width: number): string[] {
  const last = lines.at(-1) ?? '';
  return widthOf(last + note) <= width ? [...lines.slice(0, -1), last + note] : [...lines, note.trim()];
}

/** For those who want to see the tool's own work. */
export function costLine(context: Context, report: Report): string {
  const { say } = context;
  const parts = [
    say('footer.tool', { version: context.clean(report.tool.version) }),
    say('footer.milliseconds', { count: Math.round(report.timings.milliseconds) }),
    say('footer.facts', { count: report.timings.facts }),
    say('footer.lookups', { count: report.timings.lookups }),
    size(report.coverage.bytes, say),
    ...(report.coverage.redactions > 0 ? [say('footer.redactions', { count: report.coverage.redactions })] : []),
  ];
  return parts.join(', ');
}
