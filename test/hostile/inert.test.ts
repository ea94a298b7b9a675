import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { inFolder, tarBytes } from '../../src/collect/testing-archives.ts';
import { looksCrashed, podcause } from '../cli/built-cli.ts';
import { DRAWING_NAMES, eventsAbout, HOSTILE_NAMES, logOf, MARKUP_NAMES, podCalled, SHELL_NAMES } from './hostile-names.ts';

const FORMATS = [['json'], ['yaml'], ['markdown'], ['html'], ['terminal', '--verbose']] as const;

/** Controls other than the line feed, and characters that show nothing or turn the direction of others. */
const ACTING = /[^\P{Cc}\n]|[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

function writeEvidence(folder: string): void {
  const items = [...HOSTILE_NAMES.map(podCalled), ...HOSTILE_NAMES.flatMap(eventsAbout)];
  writeFileSync(join(folder, 'pods.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  writeFileSync(join(folder, 'kubelet.log'), logOf(HOSTILE_NAMES));
  const described = HOSTILE_NAMES.map(
    (name) =>
      `Name:         ${name}\nNamespace:    ${name}\nNode:         ${name}/10.0.0.1\nStatus:       Pending\nReason:       ${name}\nMessage:      ${name}\n`,
  );
  writeFileSync(join(folder, 'describe.txt'), described.join('\n\n'));
  for (const name of [...DRAWING_NAMES, ...MARKUP_NAMES].map((one) => one.replaceAll('/', '_'))) {
    writeFileSync(join(folder, `${name}.log`), '2031-05-01T10:00:00Z FATAL cannot bind port 80: permission denied\n');
  }
  const members = HOSTILE_NAMES.map((path, index) => ({ path: `${path}.${index}`, body: `FATAL cannot claim slot ${index}: taken\n` }));
  writeFileSync(join(folder, 'bundle.tar'), tarBytes(members));
}

describe('names and lines that draw, click or run', () => {
  const printed = new Map<string, string>();

  beforeAll(
    () =>
      inFolder(async (folder) => {
        writeEvidence(folder);
        await Promise.all(
          FORMATS.map(async (format) => {
            const ran = await podcause(['-o', ...format, '.'], { cwd: folder });
            expect(looksCrashed(ran), ran.stderr.slice(0, 500)).toBe(false);
            printed.set(format[0], ran.stdout);
          }),
        );
      }),
    60_000,
  );

  it('come into the report at all', () => {
    const report = JSON.parse(printed.get('json') ?? '');
    expect(report.incidents.length).toBeGreaterThan(10);
    expect(report.failures).toEqual([]);
    for (const name of [SHELL_NAMES[0] ?? '', 'alert(1)']) expect(printed.get('json')?.includes(name)).toBe(true);
  });

  it.each(FORMATS.map(([format]) => format))('move nothing in %s', (format) => {
    const text = printed.get(format) ?? '';
    const found = ACTING.exec(text);
    expect(found === null ? '' : JSON.stringify(text.slice(found.index - 40, found.index + 40))).toBe('');
  });

  it('are text in the page', () => {
    const page = (printed.get('html') ?? '').replaceAll(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, '');
    const tags = page.match(/<[^>]*>/g) ?? [];
    const bare = tags.map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));
    expect(bare.filter((tag) => /^<\/?(?:script|style|iframe|img|object|embed|base|form|input)\b|\son\w+\s*=|'|`/i.test(tag))).toEqual([]);
    const links = tags.flatMap((tag) => /\s(?:href|src|action|srcdoc|xlink:href)="([^"]*)"/.exec(tag)?.[1] ?? []);
    expect(links.filter((link) => !link.startsWith('#') && !link.startsWith('data:image/svg+xml,'))).toEqual([]);
    expect(tags.length).toBeGreaterThan(100);
    const scripts = (printed.get('html') ?? '').match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeLessThanOrEqual(2);
    expect(/Content-Security-Policy" content="default-src (?:'|&#39;)none/i.test(printed.get('html') ?? '')).toBe(true);
  });

  it('are text in the ticket', () => {
    const prose = withoutCode(printed.get('markdown') ?? '');
    expect((prose.match(/<\/?[a-z!?][^>]*>/gi) ?? []).filter((tag) => !/^<\/?(?:details|summary)>$/.test(tag))).toEqual([]);
    expect(prose.match(/(?<!\\)\]\((?!#)|(?<!\\)!\[|^\s*\[[^\]]*\]:|(?<![\w\\])@\w|https?:\/\//m)).toBeNull();
  });
});

/** Markdown without fenced blocks and code spans, in which nothing acts. */
function withoutCode(markdown: string): string {
  const lines: string[] = [];
  let fence = '';
  for (const line of markdown.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    } else if (mark !== '') fence = mark;
    else lines.push(line.replaceAll(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, ''));
  }
  return lines.join('\n');
}
