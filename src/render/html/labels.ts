import { en } from '../../text/locales/en.ts';
import { type Html, html, NOTHING } from './escape.ts';
import { say } from './voice.ts';
import { clip } from './words.ts';

/** A report of another version may use words that are not known here. */
const UNKNOWN_ROOM = 24;

const RISK_LEVELS: ReadonlyMap<string, string> = new Map([
  ['reads-only', 'calm'],
  ['may-lose-data', 'danger'],
]);

type Wordlist = 'symptom' | 'risk' | 'family' | 'extent' | 'confidence' | 'html.confidence' | 'html.channel' | 'html.area';

export function isKnown(list: Wordlist, word: string): boolean {
  return Object.hasOwn(en, `${list}.${word}`);
}

/** A word of the report in the language of the page. */
function worded(list: Wordlist, word: string): string {
  return isKnown(list, word) ? say(`${list}.${word}` as 'symptom.oom') : clip(spaced(word), UNKNOWN_ROOM);
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

export function areaWords(area: string): string {
  return isKnown('html.area', area) ? worded('html.area', area) : say('html.area.unknown');
}

export function channelWords(channel: string): string {
  return worded('html.channel', channel);
}

export function confidenceBadge(confidence: string): Html {
  const known = isKnown('html.confidence', confidence);
  const meaning = known ? worded('html.confidence', confidence) : '';
  return html`<span class="confidence ${known ? confidence : 'possible'}" title="${meaning}">${worded('confidence', confidence)}</span>`;
}

export function riskBadge(risk: string): Html {
  return html`<span class="risk ${RISK_LEVELS.get(risk) ?? 'care'}">${worded('risk', risk)}</span>`;
}

export function roleMark(role: string, hearsay: boolean): Html {
  if (hearsay) return html`<span class="tag" title="${say('html.hearsay')}">${say('claim.hearsay')}</span>`;
  return role === 'proves' ? html`<span class="tag strong" title="${say('html.proofMeans')}">${say('html.proof')}</span>` : NOTHING;
}
