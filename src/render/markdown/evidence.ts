import type { Citation } from '../../model/citation.ts';
import type { Incident, Report } from '../../model/report.ts';
import { placeLabel, wholeLabel } from '../../text/citation-label.ts';
import { cap, size } from '../../text/format.ts';
import type { Text } from '../../text/messages.ts';
import { code, fence, plain } from './escape.ts';

/** Ticket systems refuse long bodies. */
const QUOTES_SHOWN = 20;
const ITEMS_SHOWN = 20;

/** Everything an incident rests on, quoted, folded away. */
export function evidenceLines(incident: Incident, say: Text): string[] {
  const cited = new Map<string, Citation>();
  const all = [
    ...incident.because,
    ...incident.not,
    ...incident.chain.flatMap((link) => link.because),
    ...incident.rivals.flatMap((rival) => rival.because),
  ];
  for (const citation of all.flatMap((claim) => claim.cited)) cited.set(`${wholeLabel(citation)}\n${citation.quote}`, citation);
  if (cited.size === 0) return [];
  const { shown, left } = cap([...cited.values()], QUOTES_SHOWN);
  const quotes = shown.flatMap((citation) => [code(wholeLabel(citation)), '', ...fence(citation.quote, 'text'), '']);
  return folded(say('ticket.evidence', { count: cited.size }), left > 0 ? [...quotes, say('more.count', { count: left }), ''] : quotes);
}

function folded(summary: string, lines: readonly string[]): string[] {
  return ['<details>', `<summary>${summary}</summary>`, '', ...lines, '</details>', ''];
}

/** What was read and what was not, folded away. */
export function coverageLines(report: Report, say: Text): string[] {
  const { coverage, failures } = report;
  const read = coverage.pieces.map((piece) => `- ${code(placeLabel(piece.doc, piece.lines))} ${plain(piece.what)}`);
  const unread = coverage.unread.map(
    (entry) =>
      `- ${code(entry.doc)} ${plain(entry.why)}${entry.size === undefined ? '' : `, ${size(entry.size, say)}`}${entry.command ? `: ${code(entry.command)}` : ''}`,
  );
  const unrecognised = coverage.unrecognised.map((entry) => `- ${code(placeLabel(entry.doc, entry.lines))} ${code(entry.firstLine)}`);
  const failed = failures.map((failure) => `- ${code(failure.cause)} ${plain(failure.message)}`);
  const lines = [
    ...(report.elsewhere === undefined ? [] : [say('more.elsewhere', { count: report.elsewhere }), '']),
    ...items(read, say),
    ...titled(say('ticket.unread'), unread, say),
    ...titled(say('ticket.unrecognised'), unrecognised, say),
    ...titled(say('ticket.failures'), failed, say),
  ];
  return lines.length === 0 ? [] : folded(say('ticket.coverage'), lines);
}

function titled(heading: string, all: readonly string[], say: Text): string[] {
  return all.length === 0 ? [] : [`**${heading}**`, '', ...items(all, say)];
}

function items(all: readonly string[], say: Text): string[] {
  const { shown, left } = cap(all, ITEMS_SHOWN);
  if (shown.length === 0) return [];
  return [...shown, ...(left > 0 ? [`- ${say('more.count', { count: left })}`] : []), ''];
}
