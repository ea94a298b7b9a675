import type { History, Report } from '../../model/report.ts';
import { labelGroups } from '../../text/citation-label.ts';
import { cap, joinList } from '../../text/format.ts';
import { effortForms, emptyVerdict } from '../view.ts';
import { type Claim, claimSection } from './claims.ts';
import type { Context } from './context.ts';
import { shortLabel } from './label.ts';
import { spread } from './pad.ts';
import { wrap, wrapTo } from './wrap.ts';

const HISTORY_SHOWN = 4;
const LABEL_ROOM = 26;

/** A report without incidents or open questions: one line says so, and what was looked at. */
export function healthyBlocks(context: Context, report: Report): string[][] {
  const { color, glyphs } = context;
  const says = emptyVerdict(report, context.say);
  const mark = report.verdict === 'healthy' ? color.green(glyphs.good) : color.cyan(glyphs.open);
  const fitting = effortForms(report, context.say).map((effort) => spread(`${mark} ${color.bold(says)}`, color.dim(effort), context.width));
  const one = fitting.find((line) => line !== undefined);
  const head =
    one === undefined ? wrap(says, context.width - 2).map((line, index) => `${index === 0 ? mark : ' '} ${color.bold(line)}`) : [one];
  return [[...head, ...readLine(context, report)], historyLines(context, report.history)].filter((block) => block.length > 0);
}

function readLine(context: Context, report: Report): string[] {
  const what = [...new Set(report.coverage.pieces.map((piece) => context.clean(piece.what)))].filter((name) => name !== '');
  if (what.length === 0) return [];
  const lines = wrapTo(`${context.say('healthy.read')} ${joinList(what, context.say)}`, context.width - 2, 2, context.glyphs.ellipsis);
  return lines.map((line) => `  ${context.color.dim(line)}`);
}

/** What happened before and is over. */
export function historyLines(context: Context, history: readonly History[]): string[] {
  const { shown, left } = context.verbose ? { shown: history, left: 0 } : cap(history, HISTORY_SHOWN);
  const claims = shown.map((entry) => historyClaim(context, entry));
  return claimSection(context, context.say('head.history'), claims, left);
}

function historyClaim(context: Context, entry: History): Claim {
  const label = labelGroups(entry.cited)[0]?.label;
  return {
    says: context.clean(entry.says),
    label: label === undefined ? '' : shortLabel(context, label, LABEL_ROOM),
    quote: '',
    cited: entry.cited,
  };
}
