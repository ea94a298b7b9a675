import type { History, Incident, Report, Undecided } from '../model/report.ts';
import { labelGroups } from '../text/citation-label.ts';
import { joinList } from '../text/format.ts';
import { type Text, text } from '../text/messages.ts';
import { code, plain } from './markdown/escape.ts';
import { coverageLines, evidenceLines } from './markdown/evidence.ts';
import { askLines, hitLines, incidentLines } from './markdown/incident.ts';
import { effects, effortForms, emptyVerdict, hitOf, summaryParts } from './view.ts';

const ASKS_SHOWN = 3;

export interface MarkdownOptions {
  readonly say?: Text;
}

/** A report for a ticket: what is wrong and what to do in sight, the evidence in a fold. */
export function renderMarkdown(report: Report, options: MarkdownOptions = {}): string {
  const say = options.say ?? text;
  const lines = [
    `## ${heading(report, say)}`,
    '',
    [...summaryParts(report, say), ...effortForms(report, say).slice(0, 1)].map(plain).join(' · '),
    '',
    ...emptyLines(report, say),
    ...report.incidents.flatMap((incident) => oneIncident(incident, report.incidents.length > 1, say)),
    ...report.undecided.flatMap((undecided) => undecidedLines(undecided, say)),
    ...historyLines(report.history, say),
    ...coverageLines(report, say),
    say('footer.tool', { version: plain(report.tool.version) }),
  ];
  return `${lines.join('\n')}\n`;
}

function heading(report: Report, say: Text): string {
  const [first] = report.incidents;
  if (first !== undefined && report.incidents.length === 1) return say('ticket.verdict.found', { title: plain(first.title) });
  if (first !== undefined) return say('ticket.verdict.several', { count: report.incidents.length });
  return say(report.verdict === 'healthy' ? 'ticket.verdict.healthy' : 'ticket.verdict.undecided');
}

function oneIncident(incident: Incident, numbered: boolean, say: Text): string[] {
  const title = numbered ? [`### ${incident.number}. ${plain(incident.title)}`, ''] : [];
  return [...title, ...incidentLines(incident, say), ...evidenceLines(incident, say)];
}

function undecidedLines(undecided: Undecided, say: Text): string[] {
  const open = undecided.open.map((one) => plain(one.name));
  return [
    `### ${say('ticket.alsoUnknown')}: ${plain(undecided.says)}`,
    '',
    plain(effects(hitOf(undecided), say)),
    '',
    ...hitLines(undecided.victims, undecided.victims.length, say),
    ...askLines(undecided.asks.slice(0, 1), say('ticket.first'), (node) => say('ticket.firstOn', { node })),
    ...askLines(undecided.asks.slice(1, ASKS_SHOWN), say('ticket.next'), (node) => say('ticket.nextOn', { node })),
    ...(open.length === 0 ? [] : [`**${say('ticket.open')}:** ${joinList(open, say)}`, '']),
  ];
}

function emptyLines(report: Report, say: Text): string[] {
  return report.incidents.length > 0 || report.undecided.length > 0 ? [] : [emptyVerdict(report, say), ''];
}

function historyLines(history: readonly History[], say: Text): string[] {
  if (history.length === 0) return [];
  const items = history.map((entry) => {
    const label = labelGroups(entry.cited)[0]?.label;
    return `- ${plain(entry.says)}${label === undefined ? '' : ` – ${code(label)}`}`;
  });
  return [`**${say('ticket.earlier')}**`, '', ...items, ''];
}
