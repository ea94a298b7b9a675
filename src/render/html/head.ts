import type { Incident, Report, Undecided } from '../../model/report.ts';
import { placeName } from '../../text/place.ts';
import { emptyVerdict, fixParts } from '../view.ts';
import { asks, command, whereToRun } from './actions.ts';
import { type Html, html, NOTHING } from './escape.ts';
import { confidenceBadge, riskBadge } from './labels.ts';
import { effectWords, hitWords, whereWords } from './victims.ts';
import { phrase, say } from './voice.ts';
import { paragraphs, prose, sentence } from './words.ts';

function fixLine(incident: Incident): Html {
  const fix = fixParts(incident.fixes).find(({ part }) => part === 'fix')?.fix;
  if (fix === undefined) return NOTHING;
  return html`<div class="next"><dt>${say('html.head.fix')}</dt><dd><a href="#incident-${incident.number}-fix">${prose(fix.title)}</a> ${riskBadge(fix.risk)}</dd></div>`;
}

function askLine(incident: Incident): Html {
  const [ask] = incident.asks;
  if (ask === undefined || incident.confidence === 'certain') return NOTHING;
  const words = phrase('html.head.ask', { tells: prose(ask.tells), where: whereToRun(ask.where) });
  return html`<div class="next"><dt>${say('html.head.certain')}</dt><dd><p>${words}</p>${command(ask.command)}</dd></div>`;
}

function onwards(incident: Incident): Html {
  const lines = [askLine(incident), fixLine(incident)].filter((line) => line !== NOTHING);
  return lines.length === 0 ? NOTHING : html`<dl class="onwards">${lines}</dl>`;
}

/** What a reader has to know before believing an incident. */
export function caveats(incident: Incident): Html {
  const own = incident.cause === 'not-in-catalogue' && html`<p class="caveat">${sentence(say('cause.ownWords'))}</p>`;
  const over =
    incident.recovered !== undefined && html`<p class="recovered">${sentence(say('cause.recovered', { says: incident.recovered }))}</p>`;
  return html`${own}${over}`;
}

function otherIncidents(others: readonly Incident[]): Html {
  if (others.length === 0) return NOTHING;
  const items = others.map(
    (one) =>
      html`<li><a href="#incident-${one.number}"><span class="number">${one.number}</span><span class="grow"><b>${prose(one.title)}</b> <span class="place">${placeName(one.place, say)} · ${hitWords(one)}</span></span></a>${confidenceBadge(one.confidence)}</li>`,
  );
  return html`<nav class="others" aria-label="${say('html.head.others')}"><h2>${say('html.head.moreCauses', { count: others.length })}</h2><ol>${items}</ol></nav>`;
}

function openQuestion(first: Undecided | undefined): Html {
  if (first === undefined) return NOTHING;
  return html`<div class="why">${paragraphs(sentence(first.says))}</div>${
    first.asks.length > 0 && html`<section class="tells"><h2>${say('html.head.tellsMost')}</h2>${asks(first.asks)}</section>`
  }`;
}

function foundHead(first: Incident, others: readonly Incident[]): Html {
  const [place, hits] = whereWords(first);
  return html`<header class="verdict found" id="incident-${first.number}" tabindex="-1"><p class="sure">${confidenceBadge(first.confidence)}</p><h1>${prose(first.title)}</h1><p class="where"><span class="place">${place}</span>${
    hits !== undefined && html`<span class="hits">${hits}</span>`
  }</p>${caveats(first)}${onwards(first)}${otherIncidents(others)}</header>`;
}

function healthyHead(report: Report): Html {
  const scope = say('html.head.healthyScope', { verdict: sentence(emptyVerdict(report, say)), count: report.coverage.documents });
  return html`<header class="verdict healthy"><p class="sure"><span class="state good">${say('html.healthy')}</span></p><h1>${say('html.head.healthy')}</h1><p class="where">${scope}</p></header>`;
}

function undecidedHead(report: Report): Html {
  const [first] = report.undecided;
  const unclear =
    first === undefined
      ? say('html.sentence', { words: emptyVerdict(report, say) })
      : say('html.head.unclear', { effect: effectWords(first) });
  return html`<header class="verdict undecided"><p class="sure"><span class="state open">${say('summary.notKnown')}</span></p><h1>${say('html.head.undecided')}</h1><p class="where">${sentence(unclear)}</p>${openQuestion(first)}</header>`;
}

export function head(report: Report): Html {
  const [first, ...others] = report.incidents;
  if (first !== undefined) return foundHead(first, others);
  return report.verdict === 'healthy' ? healthyHead(report) : undecidedHead(report);
}
