import { en } from '../../text/locales/en.ts';
import { text } from '../../text/messages.ts';
import { type Html, html, NOTHING } from './escape.ts';
import { clip } from './words.ts';

/** A report of another version may use words that are not known here. */
const UNKNOWN_ROOM = 24;

const CONFIDENCES: ReadonlyMap<string, string> = new Map([
  ['certain', 'The evidence proves it and nothing speaks against it'],
  ['probable', 'The evidence points here; something that would settle it was not given'],
  ['possible', 'It fits, but the evidence is thin'],
]);

const RISK_LEVELS: ReadonlyMap<string, string> = new Map([
  ['reads-only', 'calm'],
  ['may-lose-data', 'danger'],
]);

type Wordlist = 'symptom' | 'risk' | 'family' | 'extent' | 'confidence';

export function isKnown(list: Wordlist, word: string): boolean {
  return Object.hasOwn(en, `${list}.${word}`);
}

function worded(list: Wordlist, word: string): string {
  return isKnown(list, word) ? text(`${list}.${word}` as 'symptom.oom') : clip(spaced(word), UNKNOWN_ROOM);
}

function spaced(word: string): string {
  return word.replaceAll('-', ' ');
}

export function symptomWords(symptom: string): string {
  return worded('symptom', symptom);
}

export function familyWords(family: string): string {
  return worded('family', family);
}

export function extentWords(extent: string): string {
  return worded('extent', extent);
}

export function channelWords(channel: string): string {
  return spaced(channel);
}

export function confidenceBadge(confidence: string): Html {
  const meaning = CONFIDENCES.get(confidence);
  const style = meaning === undefined ? 'possible' : confidence;
  return html`<span class="confidence ${style}" title="${meaning ?? ''}">${worded('confidence', confidence)}</span>`;
}

export function riskBadge(risk: string): Html {
  return html`<span class="risk ${RISK_LEVELS.get(risk) ?? 'care'}">${worded('risk', risk)}</span>`;
}

export function roleMark(role: string, hearsay: boolean): Html {
  if (hearsay) return html`<span class="tag" title="Somebody wrote it; no output shows it">${text('claim.hearsay')}</span>`;
  return role === 'proves' ? html`<span class="tag strong" title="This alone is enough">proof</span>` : NOTHING;
}
