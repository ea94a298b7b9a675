import type { Report } from '../../model/report.ts';
import { placeName } from '../../text/place.ts';
import { claimLines, notClaim } from './claims.ts';
import { type Context, contentWidth, section } from './context.ts';
import { costLine } from './footer.ts';
import { wrap } from './wrap.ts';

/** Everything that stands behind the answer, for `--verbose`. */
export function proofBlocks(context: Context, report: Report): string[][] {
  const { say } = context;
  const width = contentWidth(context);
  return [
    section(context, say('head.ruledOut'), ruledOut(context, report, width)),
    section(context, say('head.coverage'), coverage(context, report, width)),
    section(context, say('head.timings'), wrap(costLine(context, report), width)),
  ].filter((block) => block.length > 0);
}

function ruledOut(context: Context, report: Report, width: number): string[] {
  const { clean, color, say } = context;
  return report.ruledOut.flatMap((out) => [
    ...wrap(`${clean(out.name)} (${clean(placeName(out.place, say))})`, width),
    ...claimLines(context, [notClaim(context, out.because)], width - 2).map((line) => `  ${color.dim(line)}`),
  ]);
}

function coverage(context: Context, report: Report, width: number): string[] {
  const { clean, color, say } = context;
  return report.coverage.looked.flatMap((look) => [
    ...wrap(`${look.channel}, ${clean(look.about)}: ${say(`extent.${look.extent}`)}`, width),
    ...wrap(look.docs.map(clean).join(', '), width - 2).map((line) => `  ${color.dim(line)}`),
  ]);
}
