import type { Citation } from '../../model/citation.ts';
import type { NotThis, Reason } from '../../model/report.ts';
import { labelGroups, wholeLabel } from '../../text/citation-label.ts';
import { type Context, claimColumn, section } from './context.ts';
import { gist } from './gist.ts';
import { shortLabel } from './label.ts';
import { padEnd, spread, truncate, truncateMiddle, widthOf } from './pad.ts';
import { wrap, wrapTo } from './wrap.ts';

export interface Claim {
  readonly says: string;
  /** Where it stands. */
  readonly label: string;
  /** The evidence itself, shortened to what it says. */
  readonly quote: string;
  readonly cited: readonly Citation[];
}

const QUOTE_ROOM = 36;
const LABEL_ROOM = 28;
const CLAIM_LINES = 3;
const COLUMN_GAP = 2;
const QUOTE_HEAD = 0.6;
const QUOTE_BESIDE_LABEL = 20;

export function claimOf(context: Context, reason: Pick<Reason, 'says' | 'cited' | 'count' | 'hearsay'>): Claim {
  const { clean, say } = context;
  const [group] = labelGroups(reason.cited);
  const unnamed = Math.max(reason.count, reason.cited.length) - (group?.named ?? 0);
  const more = unnamed > 0 ? ` ${say('claim.more', { count: unnamed })}` : '';
  return {
    says: reason.hearsay === true ? `${clean(reason.says)} (${say('claim.hearsay')})` : clean(reason.says),
    label: group === undefined ? '' : shortLabel(context, group.label, LABEL_ROOM - widthOf(more)) + more,
    quote: gist(clean(reason.cited[0]?.quote ?? '')),
    cited: reason.cited,
  };
}

export function notClaim(context: Context, not: NotThis): Claim {
  const { clean, say } = context;
  const cited = labelGroups(not.cited)[0]?.label;
  const looked = context.verbose ? not.looked.map(clean) : not.looked.slice(0, 1).map((label) => shortLabel(context, label, LABEL_ROOM));
  const lookedIn = looked.length === 0 ? '' : say('not.looked', { label: looked.join(', ') });
  return {
    says: clean(not.says),
    label: cited === undefined ? lookedIn : shortLabel(context, cited, LABEL_ROOM),
    quote: '',
    cited: not.cited,
  };
}

/** Claims under a heading, and how many more there are. */
export function claimSection(context: Context, heading: string, claims: readonly Claim[], left: number): string[] {
  const column = claimColumn(context);
  const more = left > 0 ? [context.color.dim(context.say('more.verbose', { count: left }))] : [];
  return section(context, heading, [...claimLines(context, claims, context.width - column), ...more], column);
}

/** Claims, each with its place and its quote beside it where there is room for all of them, else below. */
export function claimLines(context: Context, claims: readonly Claim[], width: number): string[] {
  if (context.verbose) return claims.flatMap((claim) => verboseClaim(context, claim, width));
  const saysColumn = Math.max(...claims.map((claim) => widthOf(claim.says)), 0);
  const labelColumn = Math.max(...claims.map((claim) => widthOf(claim.label)), 0);
  const quoteRoom = width - saysColumn - labelColumn - 2 * COLUMN_GAP;
  const longestQuote = Math.max(...claims.map((claim) => widthOf(claim.quote)), 0);
  if (longestQuote > 0 && quoteRoom >= Math.min(QUOTE_ROOM, longestQuote)) {
    return claims.map((claim) => inColumns(context, claim, saysColumn, labelColumn, quoteRoom));
  }
  return claims.flatMap((claim) => stacked(context, claim, width));
}

function inColumns(context: Context, claim: Claim, saysColumn: number, labelColumn: number, quoteRoom: number): string {
  const gap = ' '.repeat(COLUMN_GAP);
  const { color, glyphs } = context;
  const proof =
    claim.quote === '' ? claim.label : `${padEnd(claim.label, labelColumn)}${gap}${shortQuote(claim.quote, quoteRoom, glyphs.ellipsis)}`;
  return proof === '' ? claim.says : `${padEnd(claim.says, saysColumn)}${gap}${color.dim(proof)}`;
}

function stacked(context: Context, claim: Claim, width: number): string[] {
  const { color, glyphs } = context;
  const quote = claim.quote === '' ? [] : [claim.quote];
  const beside = spread(claim.says, color.dim(claim.label), width);
  const says = beside === undefined || claim.label === '' ? wrapTo(claim.says, width, CLAIM_LINES, glyphs.ellipsis) : [beside];
  const label = beside === undefined && claim.label !== '' ? [truncate(claim.label, width - 2, glyphs.ellipsis)] : [];
  const room = width - 2 - label.reduce((sum, part) => sum + widthOf(part) + COLUMN_GAP, 0);
  const apart = room < QUOTE_BESIDE_LABEL && widthOf(claim.quote) > room;
  const proof = [...label, ...quote.map((part) => shortQuote(part, apart ? width - 2 : room, glyphs.ellipsis))];
  const lines = apart ? proof : [proof.join(' '.repeat(COLUMN_GAP))];
  return proof.length === 0 ? says : [...says, ...lines.map((line) => `  ${color.dim(line)}`)];
}

/** An error says at its start what was tried, and at its end what went wrong. */
function shortQuote(quote: string, width: number, ellipsis: string): string {
  return truncateMiddle(quote, width, ellipsis, QUOTE_HEAD);
}

function verboseClaim(context: Context, claim: Claim, width: number): string[] {
  const { clean, color } = context;
  const proofs = claim.cited.flatMap((citation) => [
    ...wrap(clean(wholeLabel(citation)), width - 2).map((line) => `  ${color.dim(line)}`),
    ...wrap(clean(citation.quote), width - 4).map((line) => `    ${color.dim(line)}`),
  ]);
  const label = claim.cited.length === 0 && claim.label !== '' ? wrap(claim.label, width - 2).map((line) => `  ${color.dim(line)}`) : [];
  return [...wrap(claim.says, width), ...label, ...proofs];
}
