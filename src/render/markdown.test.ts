import { describe, expect, it } from 'vitest';
import { ACTING } from '../../test/samples/acting.ts';
import { cgroupReport, hostileReport, sampleReports } from '../../test/samples/reports.ts';
import { renderMarkdown } from './markdown.ts';

/** What is left when fenced blocks and code spans are taken away: the part of a text that can act. */
function actingPart(markdown: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const ticks = /^ *(`{3,})/.exec(line)?.[1];
    if (fence === undefined && ticks !== undefined) fence = ticks;
    else if (fence !== undefined && line.trim() === fence) fence = undefined;
    else if (fence === undefined) lines.push(line.replace(/\\`/g, '').replace(/(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '§'));
  }
  expect(fence).toBeUndefined();
  return lines.join('\n');
}

describe.each(Object.entries(sampleReports))('the %s report', (name, sample) => {
  const markdown = renderMarkdown(sample);
  const acting = actingPart(markdown);

  it('looks as it should', async () => {
    await expect(markdown).toMatchFileSnapshot(`./__snapshots__/markdown/${name}.md`);
  });

  it('holds no HTML but the folds', () => {
    const tags = acting.match(/<[^>]*>/g) ?? [];
    expect(tags.filter((tag) => !/^<\/?(?:details|summary)>$/.test(tag))).toEqual([]);
    expect(acting.match(/<details>/g)?.length).toBe(acting.match(/<\/details>/g)?.length);
  });

  it('holds no link, image, mention or reference', () => {
    expect(acting).not.toMatch(/(?<!\\)\]\(|!\[|@\w|https?:|www\.|(?<!\w)#\d/);
  });

  it('holds no other structure than its own', () => {
    const structure = acting.split('\n').filter((line) => /^ *(?:#|[-+*] |\d+[.)] |>|\||=+$|-+$)/.test(line));
    for (const line of structure) expect(line).toMatch(/^(?:#{2,3} |- |\d+\. )\S/);
  });

  it('holds no control character', () => {
    expect(markdown).not.toMatch(ACTING);
  });
});

describe('a ticket', () => {
  const markdown = renderMarkdown(cgroupReport);

  it('starts with the verdict and how sure it is', () => {
    expect(markdown.split('\n').slice(0, 5)).toEqual([
      '## podcause: kubelet and containerd disagree on the cgroup driver',
      '',
      '1 cause · 3 pods · node worker-2 · 5 files, 214 lines, 0.1 s',
      '',
      '**probable** · node worker-2 · 3 pods keep restarting',
    ]);
  });

  it('keeps quotes in a fold', () => {
    expect(markdown.indexOf('SystemdCgroup = false\n```')).toBeGreaterThan(markdown.indexOf('<details>'));
  });

  it('marks hearsay and counts what is not listed', () => {
    expect(markdown).toContain('- the node was set up last week (as told) – `describe.txt:1`');
    expect(markdown).toContain('– `kubelet.log:2,4,6`, +16 more');
  });

  it('shows hostile evidence as text', () => {
    expect(renderMarkdown(hostileReport)).toContain('## podcause: red click cleared &lt;script&gt;alert(1)&lt;/script&gt;');
  });
});
