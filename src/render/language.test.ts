import { describe, expect, it } from 'vitest';
import { largeReport } from '../../test/html/large-report.ts';
import { FOUND, HEALTHY, UNDECIDED } from '../../test/html/sample-report.ts';
import { sampleReports } from '../../test/samples/reports.ts';
import type { Report } from '../model/report.ts';
import { en } from '../text/locales/en.ts';
import { type Catalogue, textIn } from '../text/messages.ts';
import { renderHtml } from './html/index.ts';
import { render } from './index.ts';
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

/** Markup that a browser neither shows nor reads out; the keys and the name of the tool are the same everywhere. */
const UNSAID = /<(?:style|script)>[\s\S]*?<\/(?:style|script)>|<kbd>[a-z]<\/kbd>|\bpodcause\b/g;
const SAID_IN_ATTRIBUTES = /\b(?:title|aria-label|data-(?:tip|when|about|copy|copied|selected))="([^"]*)"/g;
const ENTITY = /&(?:#\d+|[a-z]+);/g;

/** What a page says with letters: what it shows, and what its script and a screen reader take from attributes. */
function wordsOn(page: string): string[] {
  const markup = page.replace(UNSAID, '');
  const body = markup.slice(markup.indexOf('<title>'));
  const attributes = [...body.matchAll(SAID_IN_ATTRIBUTES)].map(([, value]) => value);
  const lines = [body.replace(/<[^>]*>/g, '\n'), ...attributes].join('\n').replace(ENTITY, '').split('\n');
  return lines.filter((line) => /[A-Za-z]/.test(line));
}

const AREAS = ['app', 'image', 'scheduling', 'storage', 'runtime', 'kubelet', 'node', 'control-plane', 'policy', 'unknown'] as const;
const PLACES = ['Cluster/-', 'Namespace/§', 'Node/?', 'Node/§', 'Pod/§/§', 'Container/§/§/§', 'Workload/§/§/§', 'Object/§/§/§'];

function placed(report: Report): Report {
  const [first] = report.incidents;
  if (first === undefined) return report;
  const incidents = PLACES.flatMap((placeId) => AREAS.map((area) => ({ ...first, placeId, area })));
  return { ...report, incidents: incidents.map((incident, index) => ({ ...incident, number: index + 1 })), elsewhere: 3 };
}

describe.each([
  ...Object.entries(sampleReports),
  ['found page', FOUND],
  ['healthy page', HEALTHY],
  ['undecided page', UNDECIDED],
  ['large page', largeReport()],
] as const)('HTML in another language for the %s report', (_, sample) => {
  const say = textIn('zh', signs);

  it('reaches every frame text', () => {
    const muted = mute(sample) as Report;
    for (const report of [muted, placed(muted), { ...muted, verdict: 'undecided' as const, incidents: [] }]) {
      const page = renderHtml(report, { say });
      expect(page).toContain('<html lang="zh">');
      expect(wordsOn(page)).toEqual([]);
    }
  });
});

describe('the language of an HTML page', () => {
  const say = textIn('zh', signs);
  const english = renderHtml(FOUND);

  it('is English unless another is given, also after a page in another or a failed one', () => {
    expect(english).toContain('<html lang="en">');
    expect(wordsOn(english)).toContain('Skip to the answer');
    expect(render(FOUND, 'html', { say })).not.toBe(english);
    expect(() => renderHtml({} as Report, { say })).toThrow();
    expect(renderHtml(FOUND)).toBe(english);
  });

  it('leaves script and policy as they are', () => {
    const policy = /Content-Security-Policy" content="[^"]*"/;
    expect(policy.exec(renderHtml(FOUND, { say }))?.[0]).toBe(policy.exec(english)?.[0]);
    expect(english).toContain('data-copy="Copy" data-copied="Copied" data-selected="Selected">Copy</button>');
  });
});

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
