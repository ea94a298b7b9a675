import { type EntityId, nodeId } from '../../model/entity.ts';
import type { ChainLink, Incident, Undecided, Victim } from '../../model/report.ts';
import { placeName } from '../../text/place.ts';
import { effects, type Hit, whereAndWhat } from '../view.ts';
import { citationLink } from './claims.ts';
import { type Html, html, NOTHING } from './escape.ts';
import { isKnown, symptomWords } from './labels.ts';
import type { References } from './references.ts';
import { listed, say } from './voice.ts';

const VICTIMS_AT_ONCE = 6;

/** What stands around a list of victims; links of the chain are named only where they tell victims apart. */
interface Setting {
  readonly placeId: EntityId;
  readonly chain: readonly ChainLink[];
}

/** `3 pods`, short enough for a list. */
export function hitWords(hit: Hit): string {
  if (hit.victimCount === 0) return say('html.head.noPod');
  const pods = hit.victims.every((victim) => victim.id.startsWith('Pod/') || victim.id.startsWith('uid:'));
  return say(pods ? 'summary.pods' : 'summary.affected', { count: hit.victimCount });
}

function canBeWorded(victims: readonly Victim[]): boolean {
  return victims.every((victim) => victim.symptoms.every((symptom) => isKnown('symptom', symptom)));
}

/** The place, and what happens there. */
export function whereWords(incident: Incident): readonly string[] {
  if (!canBeWorded(incident.victims)) return [placeName(incident.place, say), hitWords(incident)];
  return whereAndWhat(incident, say);
}

export function effectWords(undecided: Undecided): string {
  const hit = { victims: undecided.victims, victimCount: undecided.victims.length };
  const words = canBeWorded(hit.victims) ? effects(hit, say) : hitWords(hit);
  return words === '' || hit.victimCount === 0 ? say('html.head.trouble') : words;
}

function victimRow(victim: Victim, id: string, references: References, setting: Setting | undefined): Html {
  const origin = { id, label: '\u2191', title: victim.name };
  const [first] = victim.cited;
  const node = victim.node === undefined || nodeId(victim.node) === setting?.placeId ? undefined : victim.node;
  const through = setting?.chain.find((link) => link.cause === victim.through)?.title;
  const notes = [
    victim.detail,
    node === undefined ? undefined : say('victim.on', { node }),
    through === undefined ? undefined : say('victim.through', { title: through }),
  ].filter((note) => note !== undefined);
  return html`<li id="${id}" class="victim" tabindex="-1"><span class="grow"><span class="name">${victim.name}</span> <span class="trouble">${listed(victim.symptoms.map(symptomWords))}</span>${
    notes.length > 0 && html` <span class="note">${notes.join(' · ')}</span>`
  }</span>${first !== undefined && citationLink(first, origin, references)}</li>`;
}

export function victimList(hit: Hit, prefix: string, references: References, setting?: Setting): Html {
  if (hit.victims.length === 0) return NOTHING;
  const ways = new Set(hit.victims.map((victim) => victim.through));
  const told = setting !== undefined && ways.size === 1 ? { ...setting, chain: [] } : setting;
  const rows = hit.victims.map((victim, index) => victimRow(victim, `${prefix}-${index + 1}`, references, told));
  const rest = rows.slice(VICTIMS_AT_ONCE);
  const unlisted = hit.victimCount - hit.victims.length;
  return html`<ul class="victims">${rows.slice(0, VICTIMS_AT_ONCE)}</ul>${
    rest.length > 0 &&
    html`<details class="more"><summary>${say('html.more', { count: rest.length })}</summary><ul class="victims">${rest}</ul></details>`
  }${unlisted > 0 && html`<p class="note">${say('html.victims.unlisted', { count: unlisted })}</p>`}`;
}
