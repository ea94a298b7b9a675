import type { Citation } from '../../model/citation.ts';
import type { Ask, Incident, NotThis, Reason, ReportFix, Victim } from '../../model/report.ts';
import { labelGroups } from '../../text/citation-label.ts';
import { cap } from '../../text/format.ts';
import type { Text } from '../../text/messages.ts';
import { placeName } from '../../text/place.ts';
import { ANYWHERE, familyName, fixParts, NOT_IN_CATALOGUE, rivalsBySort, stepGroups, whereAndWhat } from '../view.ts';
import { code, fence, plain } from './escape.ts';

const VICTIMS_SHOWN = 8;
const LABELS_SHOWN = 2;
const NOTS_SHOWN = 4;
const RIVALS_SHOWN = 2;
const ASKS_SHOWN = 3;

export function incidentLines(incident: Incident, say: Text): string[] {
  const { also, instead } = rivalsBySort(incident.rivals.slice(0, RIVALS_SHOWN));
  return [
    `**${say(`confidence.${incident.confidence}`)}** · ${whereAndWhat(incident, say).map(plain).join(' · ')}`,
    '',
    ...paragraph(incident.cause === NOT_IN_CATALOGUE ? say('cause.ownWords') : ''),
    ...paragraph(incident.why),
    ...(incident.recovered === undefined ? [] : [`**${say('ticket.over')}:** ${plain(incident.recovered)}`, '']),
    ...listed(
      say('ticket.leadsTo'),
      incident.chain.map((link) => withConfidence(link.title, link, say)),
    ),
    ...hitLines(incident.victims, incident.victimCount, say),
    ...listed(
      say('ticket.because'),
      incident.because.map((reason) => reasonLine(reason, say)),
    ),
    ...listed(
      say('ticket.differs'),
      (incident.compared ?? []).map(({ says, cited }) => withLabels(says, cited, say)),
    ),
    ...listed(
      say('ticket.not'),
      incident.not.slice(0, NOTS_SHOWN).map((not) => notLine(not, say)),
    ),
    ...listed(
      say('ticket.also'),
      also.map((rival) => withConfidence(rival.title, rival, say)),
    ),
    ...listed(
      say('ticket.rivals'),
      instead.map((rival) => withConfidence(rival.title, rival, say)),
    ),
    ...askLines(incident.asks.slice(0, ASKS_SHOWN), say('ticket.certain'), (node) => say('ticket.certainOn', { node })),
    ...fixParts(incident.fixes).flatMap(({ fix, part }) => fixLines(fix, say(`ticket.${part}`), say)),
  ];
}

function paragraph(value: string): string[] {
  const words = plain(value);
  return words === '' ? [] : [words, ''];
}

function listed(heading: string, items: readonly string[]): string[] {
  const shown = items.filter((item) => item !== '');
  return shown.length === 0 ? [] : [`**${heading}**`, '', ...shown.map((item) => `- ${item}`), ''];
}

function withConfidence(title: string, of: { readonly place: string; readonly confidence: Incident['confidence'] }, say: Text): string {
  return say('chain.link', {
    title: plain(title),
    confidence: `${say(`confidence.${of.confidence}`)}, ${plain(placeName(of.place, say))}`,
  });
}

export function hitLines(victims: readonly Victim[], total: number, say: Text): string[] {
  const { shown, left } = cap(victims, VICTIMS_SHOWN, total);
  if (shown.length === 0) return [];
  const names = shown.map((victim) => code(victim.name));
  return [`**${say('ticket.hits')}:** ${[...names, ...(left > 0 ? [say('more.count', { count: left })] : [])].join(', ')}`, ''];
}

function labels(cited: readonly Citation[], total: number, say: Text): string {
  const groups = labelGroups(cited).slice(0, LABELS_SHOWN);
  const left = total - groups.reduce((sum, group) => sum + group.named, 0);
  return [...groups.map((group) => code(group.label)), ...(left > 0 ? [say('more.count', { count: left })] : [])].join(', ');
}

function withLabels(says: string, cited: readonly Citation[], say: Text): string {
  const where = labels(cited, cited.length, say);
  return `${plain(says)}${where === '' ? '' : ` – ${where}`}`;
}

function reasonLine(reason: Reason, say: Text): string {
  const told = reason.hearsay === true ? ` (${say('claim.hearsay')})` : '';
  const where = labels(reason.cited, Math.max(reason.count, reason.cited.length), say);
  const words = plain(reason.says);
  if (words === '') return '';
  return `${words}${told}${where === '' ? '' : ` – ${where}`}`;
}

function notLine(not: NotThis, say: Text): string {
  if (not.cited.length > 0) return `${plain(not.says)} – ${labels(not.cited, not.cited.length, say)}`;
  const looked = not.looked.slice(0, LABELS_SHOWN).map(code).join(', ');
  return looked === '' ? plain(not.says) : `${plain(not.says)} – ${say('not.looked', { label: looked })}`;
}

/** Commands that would tell more, each in a block of its own, under a heading that says where to run them. */
export function askLines(asks: readonly Ask[], anywhere: string, onNode: (node: string) => string): string[] {
  let where: string | undefined;
  return asks.flatMap((ask) => {
    const heading = ask.where === where ? [] : [ask.where === ANYWHERE ? anywhere : onNode(code(ask.where)), ''];
    where = ask.where;
    return [...heading, ...paragraph(ask.tells), ...fence(ask.command, 'sh'), ''];
  });
}

function fixLines(fix: ReportFix, heading: string, say: Text): string[] {
  const steps = stepGroups(fix).flatMap((group, index) => {
    const lead = `${index + 1}. `;
    const indent = ' '.repeat(lead.length);
    const where = group.on === 'node' ? ` (${say('fix.onTheNode')})` : '';
    const commands = group.variants.flatMap((variant) => [
      ...(variant.family === undefined ? [] : [`${indent}${plain(familyName(variant.family, say))}:`, '']),
      ...fence(variant.command, 'sh', indent),
      '',
    ]);
    return [`${lead}${plain(group.say)}${where}`, '', ...commands];
  });
  const verified = fix.verified === undefined ? [] : [say('ticket.verified', { condition: plain(fix.verified) }), ''];
  return [`**${heading}:** ${plain(fix.title)} (${say(`risk.${fix.risk}`)})`, '', ...steps, ...verified];
}
