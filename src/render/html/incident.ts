import type { ChainLink, Incident } from '../../model/report.ts';
import { placeName } from '../../text/place.ts';
import { rivalsBySort } from '../view.ts';
import { asks, fixes } from './actions.ts';
import { compared, nots, reasons, rivals } from './claims.ts';
import { type Html, html, NOTHING } from './escape.ts';
import { caveats } from './head.ts';
import { confidenceBadge } from './labels.ts';
import { drawPicture } from './picture/draw.ts';
import { sceneOf } from './picture/scene.ts';
import type { References } from './references.ts';
import { timeline } from './timeline/timeline.ts';
import { hitWords, victimList } from './victims.ts';
import { say } from './voice.ts';
import { paragraphs, prose } from './words.ts';

const OPEN_INCIDENTS = 3;

type Part = readonly [name: string, heading: string, body: Html];

function chainLink(link: ChainLink, references: References): Html {
  return html`<li><div class="row"><span class="grow"><b>${prose(link.title)}</b> <span class="place">${placeName(link.place, say)}</span></span>${confidenceBadge(link.confidence)}</div>${paragraphs(link.why)}${
    link.because.length > 0 &&
    html`<details class="more"><summary>${say('html.chain.because')}</summary>${reasons(link.because, references)}</details>`
  }</li>`;
}

function chain(incident: Incident, references: References): Html {
  if (incident.chain.length === 0) return NOTHING;
  const links = incident.chain.map((link) => chainLink(link, references));
  return html`<ol class="chain"><li class="root"><div class="row"><span class="grow"><b>${prose(incident.title)}</b> <span class="place">${placeName(incident.place, say)}</span></span></div></li>${links}<li class="last">${hitWords(incident)}</li></ol>`;
}

function body(incident: Incident, references: References): Html {
  const id = `incident-${incident.number}`;
  const because = reasons(incident.because, references);
  const { also, instead } = rivalsBySort(incident.rivals);
  const picture = drawPicture(sceneOf(incident), incident.confidence);
  const parts: readonly Part[] = [
    ['picture', say('html.part.picture'), html`${picture}${victimList(incident, `${id}-victim`, references, incident)}`],
    ['chain', say('html.part.chain'), chain(incident, references)],
    ['time', say('html.part.time'), timeline(incident.timeline, `${id}-event`, references)],
    ['because', say('html.part.because'), because],
    ['compared', say('html.part.compared'), compared(incident.compared ?? [], references)],
    ['not', say('html.part.not'), nots(incident.not, references)],
    ['also', say('html.part.also'), rivals(also, references)],
    ['rivals', say('html.part.rivals'), rivals(instead, references)],
    ['asks', incident.confidence === 'certain' ? say('html.part.asks') : say('html.part.certain'), asks(incident.asks)],
    ['fix', say('html.part.fix'), fixes(incident.fixes, placeName(incident.place, say))],
  ];
  return html`<div class="why">${paragraphs(incident.why)}</div>${parts
    .filter(([, , inner]) => inner !== NOTHING)
    .map(([name, heading, inner]) => html`<section class="block" id="${id}-${name}" tabindex="-1"><h3>${heading}</h3>${inner}</section>`)}`;
}

function title(incident: Incident): Html {
  return html`<span class="grow"><span class="incident-title">${prose(incident.title)}</span> <span class="place">${placeName(incident.place, say)} · ${hitWords(incident)}</span></span>${confidenceBadge(incident.confidence)}`;
}

/** The first is told by the head of the page; the fourth and later start folded. */
export function incidents(all: readonly Incident[], references: References): readonly Html[] {
  return all.map((incident, index) => {
    if (index === 0)
      return html`<section class="incident first" aria-label="${say('html.cause')}"><h2 class="sr">${say('html.causeInFull')}</h2>${body(incident, references)}</section>`;
    const id = `incident-${incident.number}`;
    const told = html`${caveats(incident)}${body(incident, references)}`;
    if (index < OPEN_INCIDENTS) {
      return html`<section class="incident" id="${id}" tabindex="-1"><h2 class="row"><span class="number">${incident.number}</span>${title(incident)}</h2>${told}</section>`;
    }
    return html`<section class="incident" id="${id}" tabindex="-1"><details class="folded"><summary><h2 class="row"><span class="number">${incident.number}</span>${title(incident)}</h2></summary>${told}</details></section>`;
  });
}
