import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { everywhere, inFreeText, inNames } from '../../../test/html/hostile.ts';
import { largeReport } from '../../../test/html/large-report.ts';
import { NODE_INCIDENT } from '../../../test/html/node-incident.ts';
import { FOUND, HEALTHY, UNDECIDED } from '../../../test/html/sample-report.ts';
import { sampleReports } from '../../../test/samples/reports.ts';
import type { Report } from '../../model/report.ts';
import { renderHtml } from './index.ts';

function bodyOf(page: string): string {
  return page.slice(page.indexOf('<body>'));
}

function all(page: string, pattern: RegExp): readonly string[] {
  return [...page.matchAll(pattern)].map((match) => match[1] ?? '');
}

const REPORTS: readonly (readonly [string, Report])[] = [
  ['found', FOUND],
  ['healthy', HEALTHY],
  ['undecided', UNDECIDED],
  ['large', largeReport()],
  ['hostile', everywhere(FOUND)],
  ['hostile in its text', inFreeText(FOUND)],
  ['hostile in its names', inNames(FOUND)],
  ...Object.entries(sampleReports),
  ['empty', { ...FOUND, verdict: 'undecided', incidents: [], undecided: [], ruledOut: [], history: [], excerpts: [], failures: [] }],
];

describe.each(REPORTS)('a %s report', (_, report) => {
  const page = renderHtml(report);
  const body = bodyOf(page);

  it('has every id once and every link answered', () => {
    const ids = all(body, / id="([^"]*)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const known = new Set(ids);
    expect(all(body, / href="([^"]*)"/g).filter((href) => !href.startsWith('#') || !known.has(href.slice(1)))).toEqual([]);
  });

  it('holds one script and one style, and nothing that loads', () => {
    expect(all(page, /<(script|style|img|iframe|object|embed|form|input|base|video|audio)[\s>]/gi)).toEqual(['style', 'script']);
    expect(all(body, /\s(on[a-z]+)="/g)).toEqual([]);
    expect(all(page, /<(link[^>]*)>/g)).toHaveLength(1);
    expect(all(page, /(?:src|href)="((?:https?:)?\/\/)/g)).toEqual([]);
  });

  it('never says a percentage of confidence and leaves no hole in a sentence', () => {
    expect(all(body, /class="confidence [a-z]+"[^>]*>([^<]*)</g).join(' ')).not.toContain('%');
    const given = JSON.stringify(report);
    expect(all(body, /(undefined|NaN|\[object)/g).filter((hole) => !given.includes(hole))).toEqual([]);
  });
});

describe('renderHtml', () => {
  const page = renderHtml(FOUND);

  it('pins its script and its style by their hashes', () => {
    const policy = (all(page, /Content-Security-Policy" content="([^"]*)"/g)[0] ?? '').replaceAll('&#39;', "'");
    for (const [directive, element] of [
      ['script-src', 'script'],
      ['style-src', 'style'],
    ] as const) {
      const text = page.slice(page.indexOf(`<${element}>`) + element.length + 2, page.indexOf(`</${element}>`));
      expect(policy).toContain(`${directive} 'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    }
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('says the verdict of the first incident first', () => {
    const heading = page.slice(page.indexOf('<h1>'), page.indexOf('</h1>'));
    expect(heading).toContain('kubelet and containerd disagree on the cgroup driver');
    expect(page.indexOf('class="confidence probable"')).toBeLessThan(page.indexOf('<h1>'));
    expect(page).toContain('<span class="hits">2 pods keep restarting and 1 pod restarted lately</span>');
    expect(page).toContain('<a href="#incident-2">');
  });

  it('keeps the order of a report', () => {
    const order = ['picture', 'time', 'because', 'not', 'rivals', 'asks', 'fix'].map((part) => page.indexOf(`id="incident-1-${part}"`));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  it('highlights cited lines and links them back', () => {
    expect(page).toMatch(/<li id="doc-config\.toml-128" class="line hit">.*?href="#claim-1"/);
    expect(page).toMatch(/<li id="doc-config\.toml-127" class="line">/);
    expect(page).toContain('<mark>Exiting gracefully</mark>');
    expect(page).toContain('<span class="where">#/items/1/status/nodeInfo/kubeletVersion</span>');
  });

  it('is honest when nothing is wrong and when nothing is known', () => {
    expect(renderHtml(HEALTHY)).toContain('<h1>Nothing in this evidence is broken</h1>');
    const open = renderHtml(UNDECIDED);
    expect(open).toContain('<h1>The evidence does not show the cause</h1>');
    expect(open.indexOf('kubectl -n billing describe pod invoice-0')).toBeLessThan(open.indexOf('class="folds"'));
  });

  it('folds the fourth incident and later', () => {
    const large = renderHtml(largeReport());
    expect(large.match(/<details class="folded">/g)).toHaveLength(3);
  });

  it('shows hidden and recovered trouble for what it is', () => {
    const over = renderHtml({ ...FOUND, incidents: [{ ...NODE_INCIDENT, recovered: 'quiet for 2 h' }] });
    expect(over).toContain('It seems over: quiet for 2 h');
  });

  it('cuts an endless line around what is cited', () => {
    const endless = `${'a'.repeat(500_000)} needle ${'b'.repeat(500_000)}`;
    const incident = {
      ...NODE_INCIDENT,
      because: [
        {
          clue: 'x',
          role: 'proves' as const,
          says: 'x',
          count: 1,
          cited: [{ doc: 'big.log', at: { lines: [1, 1] as const }, quote: 'needle' }],
        },
      ],
    };
    const big = renderHtml({ ...FOUND, incidents: [incident], excerpts: [{ doc: 'big.log', first: 1, lines: [endless] }] });
    expect(big).toContain('<mark>needle</mark>');
    expect(big.length).toBeLessThan(120_000);
  });

  it('stays small', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(120_000);
  });

  it('takes a title', () => {
    expect(renderHtml(FOUND, { title: 'a <b>' })).toContain('<title>a &lt;b&gt;</title>');
    expect(page).toContain('<title>kubelet and containerd disagree on the cgroup driver · node heron-2 · podcause</title>');
  });
});
