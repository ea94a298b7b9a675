import type { Incident, Report } from '../model/report.ts';
import { type Context, createContext, type TerminalOptions } from './terminal/context.ts';
import { footerLines } from './terminal/footer.ts';
import { healthyBlocks, historyLines } from './terminal/healthy.ts';
import { headLines, incidentBlocks } from './terminal/incident.ts';
import { proofBlocks } from './terminal/proof.ts';
import { summaryLine } from './terminal/summary.ts';
import { undecidedBlocks } from './terminal/undecided.ts';
import { wrap } from './terminal/wrap.ts';

export type { TerminalOptions } from './terminal/context.ts';

const OPENED = 3;

/** A report for a terminal: the answer first, then how sure it is, why, and what to do. */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const context = createContext(options, report.incidents.length + report.undecided.length);
  const blocks = [
    ...answerBlocks(context, report, options.incident),
    ...(context.verbose ? proofBlocks(context, report) : []),
    footerLines(context, report),
  ].filter((block) => block.length > 0);
  return `${blocks.map((block) => block.map((line) => line.trimEnd()).join('\n')).join('\n\n')}\n`;
}

function answerBlocks(context: Context, report: Report, wanted: number | undefined): string[][] {
  if (report.incidents.length === 0 && report.undecided.length === 0) return healthyBlocks(context, report);
  const head = [summaryLine(context, report)];
  if (wanted !== undefined) return [head, ...oneIncident(context, report, wanted)];
  return [
    head,
    ...allIncidents(context, report.incidents),
    ...report.undecided.flatMap((undecided) => undecidedBlocks(context, undecided)),
    historyLines(context, report.history),
  ];
}

function oneIncident(context: Context, report: Report, wanted: number): string[][] {
  const found = report.incidents.find((incident) => incident.number === wanted);
  if (found !== undefined) return incidentBlocks(context, found, report.incidents.length > 1);
  const count = report.incidents.length;
  const says = count === 0 ? context.say('more.noIncidents', { wanted }) : context.say('more.noSuchIncident', { wanted, count });
  return [wrap(says, context.width - 2).map((line) => `  ${line}`)];
}

function allIncidents(context: Context, incidents: readonly Incident[]): string[][] {
  const numbered = incidents.length > 1;
  const opened = context.verbose ? incidents : incidents.slice(0, OPENED);
  const closed = incidents.slice(opened.length);
  const heads = closed.flatMap((incident) => headLines(context, incident, numbered));
  const hint = closed.length > 0 ? [`  ${context.color.dim(context.say('more.incident', { number: closed[0]?.number ?? OPENED }))}`] : [];
  return [...opened.flatMap((incident) => incidentBlocks(context, incident, numbered)), [...heads, ...hint]];
}
