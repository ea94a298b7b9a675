import type { Report } from '../../model/report.ts';
import { effortForms, summaryParts } from '../view.ts';
import type { Context } from './context.ts';
import { spread, truncate } from './pad.ts';

/** One line: what was found at the left, what it was found in at the right. */
export function summaryLine(context: Context, report: Report): string {
  const { clean, color, glyphs, say } = context;
  const left = `  ${summaryParts(report, say).map(clean).join(` ${glyphs.dot} `)}`;
  for (const effort of effortForms(report, say)) {
    const line = spread(left, color.dim(effort), context.width);
    if (line !== undefined) return line;
  }
  return truncate(left, context.width, glyphs.ellipsis);
}
