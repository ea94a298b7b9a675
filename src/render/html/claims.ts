import type { Citation } from '../../model/citation.ts';
import type { Compared, NotThis, Reason, Rival } from '../../model/report.ts';
import { citationLabel, wholeLabel } from '../../text/citation-label.ts';
import { placeName } from '../../text/place.ts';
import { type Html, html, NOTHING } from './escape.ts';
import { confidenceBadge, roleMark } from './labels.ts';
import type { Origin, References } from './references.ts';
import { listed, phrase, say } from './voice.ts';
import { prose, shorten } from './words.ts';

const CITATIONS_AT_ONCE = 3;
const PLACES_SHOWN = 4;
const LABEL_ROOM = 64;
const LOOKED_PLACE = /^(?<doc>.+):(?<line>\d{1,9})(?:[-,][\d,-]*)?$/;

export function citationLink(citation: Citation, origin: Origin, references: References): Html {
  const label = shorten(citationLabel(citation), LABEL_ROOM);
  return html`<a class="cite" href="${references.cite(citation, origin)}" title="${wholeLabel(citation)}">${label}</a>`;
}

function citationItem(citation: Citation, origin: Origin, references: References): Html {
  const quote = citation.quote.trim();
  return html`<li>${citationLink(citation, origin, references)}${quote !== '' && html` <q>${quote}</q>`}</li>`;
}

function citationList(cited: readonly Citation[], origin: Origin, references: References): Html {
  if (cited.length === 0) return NOTHING;
  const items = cited.map((citation) => citationItem(citation, origin, references));
  const rest = items.slice(CITATIONS_AT_ONCE);
  return html`<ul class="cites">${items.slice(0, CITATIONS_AT_ONCE)}</ul>${
    rest.length > 0 &&
    html`<details class="more"><summary>${say('html.more', { count: rest.length })}</summary><ul class="cites">${rest}</ul></details>`
  }`;
}

function claim(says: string, cited: readonly Citation[], references: References, after: Html): Html {
  const number = references.nextClaim();
  const origin = { id: `claim-${number}`, label: String(number), title: says, claim: number };
  return html`<li class="claim" id="${origin.id}" tabindex="-1"><span class="number" aria-hidden="true">${number}</span><div class="said"><p class="says">${prose(says)}${after}</p>${citationList(cited, origin, references)}</div></li>`;
}

function reasonClaim(reason: Reason, references: References): Html {
  const times =
    reason.count > reason.cited.length && reason.cited.length > 0
      ? html` <span class="tag">${say('html.seen', { count: reason.count })}</span>`
      : NOTHING;
  return claim(reason.says, reason.cited, references, html` ${roleMark(reason.role, reason.hearsay === true)}${times}`);
}

export function reasons(because: readonly Reason[], references: References): Html {
  if (because.length === 0) return NOTHING;
  return html`<ol class="claims">${because.map((reason) => reasonClaim(reason, references))}</ol>`;
}

function lookedPlace(looked: string, references: References): Html {
  const groups = LOOKED_PLACE.exec(looked)?.groups;
  const href = groups === undefined ? undefined : references.locate(groups['doc'] ?? '', Number(groups['line']));
  const words = shorten(looked, 60);
  return href === undefined ? html`<span class="name">${words}</span>` : html`<a class="cite" href="${href}">${words}</a>`;
}

function lookedWords(looked: readonly string[], references: References): Html {
  if (looked.length === 0) return NOTHING;
  const separator = listed(['', '']);
  const shown = looked.slice(0, PLACES_SHOWN).map((place, index) => html`${index > 0 && separator}${lookedPlace(place, references)}`);
  const rest = looked.length - shown.length;
  const words = rest > 0 ? phrase('html.lookedMore', { places: shown, count: rest }) : phrase('not.looked', { label: shown });
  return html`<span class="looked">${words}</span>`;
}

export function notClaim(not: NotThis, references: References, lead: Html = NOTHING): Html {
  const after = not.cited.length === 0 ? html` ${lookedWords(not.looked, references)}` : NOTHING;
  return claim(not.says, not.cited, references, html`${after}${lead}`);
}

export function nots(all: readonly NotThis[], references: References): Html {
  if (all.length === 0) return NOTHING;
  return html`<ol class="claims quiet">${all.map((not) => notClaim(not, references))}</ol>`;
}

export function compared(all: readonly Compared[], references: References): Html {
  if (all.length === 0) return NOTHING;
  return html`<ol class="claims">${all.map(({ says, cited }) => claim(says, cited, references, NOTHING))}</ol>`;
}

export function rivals(all: readonly Rival[], references: References): Html {
  if (all.length === 0) return NOTHING;
  return html`${all.map(
    (rival) =>
      html`<details class="rival"><summary><span class="grow">${prose(rival.title)} <span class="place">${placeName(rival.place, say)}</span></span>${confidenceBadge(rival.confidence)}</summary>${reasons(rival.because, references)}</details>`,
  )}`;
}
