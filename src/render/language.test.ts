import { describe, expect, it } from 'vitest';
import { sampleReports } from '../../test/samples/reports.ts';
import type { Report } from '../model/report.ts';
import { en } from '../text/locales/en.ts';
import { type Catalogue, textIn } from '../text/messages.ts';
import { renderMarkdown } from './markdown.ts';
import { renderTerminal } from './terminal.ts';

const WORD = /\{\w+\}|[A-Za-z]+/g;
/** Fields whose values are words of the report's own vocabulary, not text. */
const VOCABULARY = new Set(['confidence', 'symptoms', 'risk', 'verdict', 'area', 'channel', 'extent', 'tone', 'on', 'role']);

function withoutLetters(message: string): string {
  return message.replace(WORD, (found) => (found.startsWith('{') ? found : '¤'));
}

const signs = Object.fromEntries(
  Object.entries(en).map(([key, message]) => [
    key,
    typeof message === 'string'
      ? withoutLetters(message)
      : Object.fromEntries(Object.entries(message).map(([form, words]) => [form, withoutLetters(words)])),
  ]),
) as unknown as Catalogue;

/** A report whose own texts hold no letter, so that any letter in the output is hard-coded. */
function mute(value: unknown, key = ''): unknown {
  if (VOCABULARY.has(key)) return value;
  if (typeof value === 'string' && (key === 'id' || key === 'placeId')) return value.replace(/\/.*/s, '/§');
  if (typeof value === 'string') return value === '' ? '' : '§';
  if (Array.isArray(value)) return value.map((inner) => mute(inner, key));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mute(inner, name)]));
}

describe.each(Object.entries(sampleReports))('another language for the %s report', (_, sample) => {
  const say = textIn('zh', signs);
  const muted = mute(sample) as Report;

  it('reaches every frame text in the terminal', () => {
    for (const verbose of [false, true]) {
      const channels = new RegExp(muted.coverage.looked.map(({ channel }) => channel).join('|') || '^$', 'g');
      expect(renderTerminal(muted, { width: 80, color: false, unicode: true, verbose, say }).replace(channels, '')).not.toMatch(/[A-Za-z]/);
    }
  });

  it('reaches every frame text in Markdown', () => {
    expect(renderMarkdown(muted, { say }).replace(/<\/?(?:details|summary)>|^ *`{3,}(?:sh|text)$/gm, '')).not.toMatch(/[A-Za-z]/);
  });
});
