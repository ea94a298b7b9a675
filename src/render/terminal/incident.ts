import type { Incident, Rival, Victim } from '../../model/report.ts';
import { cap } from '../../text/format.ts';
import type { Text } from '../../text/messages.ts';
import { placeName } from '../../text/place.ts';
import { type Hit, isNamedInEffects, NOT_IN_CATALOGUE, rivalsBySort, symptomWords, whereAndWhat } from '../view.ts';
import { certaintyAsks } from './asks.ts';
import { claimLines, claimOf, claimSection, notClaim } from './claims.ts';
import { type Context, confidenceWord, contentWidth, section, withQuietConfidence, withRightWord } from './context.ts';
import { fixBlocks } from './fixes.ts';
import { flowOfNames } from './flow.ts';
import { widthOf } from './pad.ts';
import { timelineLines } from './timeline.ts';
import { wrap, wrapSentences, wrapTo } from './wrap.ts';

const WHY_LINES = 2;

/** The line that is always there: what is wrong, and how sure that is. */
export function headLines(context: Context, incident: Incident, numbered: boolean): string[] {
  const { color, glyphs, clean } = context;
  const bullet = numbered ? `${glyphs.bullet} ${incident.number}` : glyphs.bullet;
  const indent = widthOf(bullet) + 1;
  const lines = withRightWord(
    context,
    clean(incident.title),
    confidenceWord(context, incident.confidence),
    context.width - indent,
    color.bold,
  );
  return lines.map((line, index) => (index === 0 ? `${color.red(bullet)} ${line}` : ' '.repeat(indent) + line));
}

/** An incident opened: head, place and effect, then sections apart by a blank line. */
export function incidentBlocks(context: Context, incident: Incident, numbered: boolean): string[][] {
  const blocks = [
    [...headLines(context, incident, numbered), ...underHead(context, incident)],
    [...chainLines(context, incident), ...hitLines(context, incident, incident.chain)],
    becauseLines(context, incident),
    comparedLines(context, incident),
    [...notLines(context, incident), ...rivalLines(context, incident)],
    certaintyAsks(context, incident.asks),
    ...fixBlocks(context, incident),
    ...(context.verbose ? [timelineLines(context, incident.timeline)] : []),
  ];
  return blocks.filter((block) => block.length > 0);
}

function underHead(context: Context, incident: Incident): string[] {
  const { clean, color, glyphs, say } = context;
  const width = context.width - 2;
  const lines = wrapTo(whereAndWhat(incident, say).map(clean).join(` ${glyphs.dot} `), width, 2, glyphs.ellipsis);
  const ownWords = incident.cause === NOT_IN_CATALOGUE;
  const why = ownWords && !context.verbose ? '' : clean(incident.why);
  if (ownWords) lines.push(...wrap(say('cause.ownWords'), width).map(color.dim));
  if (why !== '')
    lines.push(...(context.verbose ? wrap(why, width) : wrapSentences(why, width, WHY_LINES, glyphs.ellipsis)).map(color.dim));
  if (incident.recovered !== undefined)
    lines.push(...wrapTo(say('cause.recovered', { says: clean(incident.recovered) }), width, 2, glyphs.ellipsis).map(color.green));
  return lines.map((line) => `  ${line}`);
}

function chainLines(context: Context, incident: Incident): string[] {
  const width = contentWidth(context);
  const lines = incident.chain.flatMap((link) => [
    ...withQuietConfidence(context, context.clean(link.title), link.confidence, width),
    ...(context.verbose ? linkDetail(context, link, width) : []),
  ]);
  return section(context, context.say('head.leadsTo'), lines);
}

function linkDetail(context: Context, link: Incident['chain'][number], width: number): string[] {
  const place = context.clean(placeName(link.place, context.say));
  const claims = claimLines(
    context,
    link.because.map((reason) => claimOf(context, reason)),
    width - 2,
  );
  return [...wrap(`${place}: ${context.clean(link.why)}`, width - 2).map(context.color.dim), ...claims].map((line) => `  ${line}`);
}

export function hitLines(context: Context, hit: Hit, chain: Incident['chain'] = []): string[] {
  if (context.verbose) return section(context, context.say('head.hits'), everyVictim(context, hit, chain));
  if (isNamedInEffects(hit)) return [];
  const names = hit.victims.map((victim) => victim.name);
  return section(
    context,
    context.say('head.hits'),
    flowOfNames(context, names, hit.victimCount, contentWidth(context), context.limits.victimLines),
  );
}

function everyVictim(context: Context, hit: Hit, chain: Incident['chain']): string[] {
  const { clean, color, say } = context;
  const width = contentWidth(context);
  const lines = hit.victims.flatMap((victim) => [
    ...wrap(clean(victim.name), width),
    ...wrap(clean(victimDetail(victim, chain, say)), width - 2).map((line) => `  ${color.dim(line)}`),
  ]);
  const left = hit.victimCount - hit.victims.length;
  return left > 0 ? [...lines, color.dim(say('more.count', { count: left }))] : lines;
}

function victimDetail(victim: Victim, chain: Incident['chain'], say: Text): string {
  const through = chain.find((link) => link.cause === victim.through)?.title;
  return [
    symptomWords(victim, say),
    ...(victim.node === undefined ? [] : [say('victim.on', { node: victim.node })]),
    ...(through === undefined ? [] : [say('victim.through', { title: through })]),
  ].join(', ');
}

function becauseLines(context: Context, incident: Incident): string[] {
  const { shown, left } = cap(incident.because, context.limits.claims);
  const claims = shown.map((reason) => claimOf(context, reason)).filter((claim) => claim.says !== '');
  return claimSection(context, context.say('head.because'), claims, left);
}

function comparedLines(context: Context, incident: Incident): string[] {
  const claims = (incident.compared ?? []).map((one) => claimOf(context, { ...one, count: one.cited.length }));
  return claimSection(context, context.say('head.differs'), claims, 0);
}

function notLines(context: Context, incident: Incident): string[] {
  const { shown, left } = cap(incident.not, context.limits.nots);
  const claims = shown.map((not) => notClaim(context, not));
  return claimSection(context, context.say('head.not'), claims, left);
}

function rivalLines(context: Context, incident: Incident): string[] {
  const width = contentWidth(context);
  const { also, instead } = rivalsBySort(incident.rivals.slice(0, context.limits.rivals));
  const linesOf = (rival: Rival) => [
    ...withQuietConfidence(context, context.clean(rival.title), rival.confidence, width),
    ...(context.verbose
      ? claimLines(
          context,
          rival.because.map((reason) => claimOf(context, reason)),
          width - 2,
        ).map((line) => `  ${line}`)
      : []),
  ];
  return [
    ...section(context, context.say('head.also'), also.flatMap(linesOf)),
    ...section(context, context.say('head.or'), instead.flatMap(linesOf)),
  ];
}
