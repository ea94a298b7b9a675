import type { Ask, ReportFix, ReportStep } from '../../model/report.ts';
import { ANYWHERE, fixParts, type StepGroup, stepGroups } from '../view.ts';
import { type Html, html, NOTHING } from './escape.ts';
import { channelWords, familyWords, riskBadge } from './labels.ts';
import { say } from './voice.ts';
import { prose } from './words.ts';

const ASKS_AT_ONCE = 3;

export function command(text: string): Html {
  return html`<div class="command"><pre><code>${text}</code></pre><button type="button" class="copy" data-copy="${say('html.copy')}" data-copied="${say('html.copied')}" data-selected="${say('html.selected')}">${say('html.copy')}</button></div>`;
}

export function whereToRun(where: string): string {
  return where === ANYWHERE ? say('html.where.anywhere') : say('html.where.on', { place: where });
}

function ask(one: Ask): Html {
  const settles = one.settles.length > 1 ? ` · ${say('html.ask.settles', { count: one.settles.length })}` : '';
  return html`<li class="ask"><p class="says">${prose(one.tells)}</p>${command(one.command)}<p class="note"><span class="place">${whereToRun(one.where)}</span> · ${say('html.ask.gives', { channel: channelWords(one.channel) })}${settles}</p></li>`;
}

export function asks(all: readonly Ask[]): Html {
  if (all.length === 0) return NOTHING;
  const rest = all.slice(ASKS_AT_ONCE);
  return html`<ol class="asks">${all.slice(0, ASKS_AT_ONCE).map(ask)}</ol>${
    rest.length > 0 &&
    html`<details class="more"><summary>${say('html.ask.more', { count: rest.length })}</summary><ol class="asks">${rest.map(ask)}</ol></details>`
  }`;
}

function variant(one: StepGroup['variants'][number], tabbed: boolean): Html {
  const label = one.family !== undefined && html`<span class="tag">${familyWords(one.family)}</span>`;
  return html`<div class="variant" data-family="${tabbed ? (one.family ?? '') : ''}">${label}${command(one.command)}</div>`;
}

function step(group: StepGroup, place: string, tabbed: boolean): Html {
  const where = group.on === 'node' ? place : group.on === 'cluster' ? say('fix.anywhere') : undefined;
  return html`<li class="step"><div><p class="says">${prose(group.say)}${where !== undefined && html` <span class="note">${where}</span>`}</p>${group.variants.map(
    (one) => variant(one, tabbed),
  )}</div></li>`;
}

function familiesOf(steps: readonly ReportStep[]): readonly string[] {
  return [...new Set(steps.flatMap((one) => (one.family === undefined ? [] : [one.family])))];
}

function familyTabs(families: readonly string[]): Html {
  const buttons = families.map(
    (family, index) =>
      html`<button type="button" data-choose="${family}" aria-pressed="${index === 0 ? 'true' : 'false'}">${familyWords(family)}</button>`,
  );
  return html`<div class="families" role="group" aria-label="${say('html.fix.families')}">${buttons}</div>`;
}

function fix({ fix: one, part }: ReturnType<typeof fixParts>[number], place: string): Html {
  const families = familiesOf(one.steps);
  const tabbed = families.length > 1;
  return html`<article class="fix" data-fix><header><h4>${part === 'look' && html`<span class="tag">${say('html.fix.look')}</span> `}${prose(one.title)}</h4>${riskBadge(one.risk)}</header>${tabbed && familyTabs(families)}<ol class="steps">${stepGroups(
    one,
  ).map((group) =>
    step(group, place, tabbed),
  )}</ol>${one.verified !== undefined && html`<p class="verified"><b>${say('html.fix.done')}</b> ${prose(one.verified)}</p>`}</article>`;
}

export function fixes(all: readonly ReportFix[], place: string): Html {
  const parts = fixParts(all);
  if (parts.length === 0) return NOTHING;
  const shown = parts.filter(({ part }) => part !== 'orFix');
  const others = parts.filter(({ part }) => part === 'orFix');
  return html`${shown.map((one) => fix(one, place))}${
    others.length > 0 &&
    html`<details class="more"><summary>${say('html.fix.others', { count: others.length })}</summary>${others.map((one) => fix(one, place))}</details>`
  }`;
}
