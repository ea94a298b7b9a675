import type { WriteStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import type { Look } from '../fix/judge.ts';
import { createFixProgress } from './fix-progress.ts';

function stream(isTTY: boolean) {
  const written: string[] = [];
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  return { written, stream: { isTTY, columns: 60, write } as unknown as WriteStream };
}

const pod = { id: 'Pod/shop/web-0', name: 'shop/web-0', state: 'CrashLoopBackOff', restarts: 1 } as Look['pods'][number];
const sick: Look = { shows: true, sick: [pod], pods: [pod] };
const well: Look = { shows: false, sick: [], pods: [pod] };

describe('the progress of a fix', () => {
  it('moves one line on a terminal, and takes it away', () => {
    const { written, stream: terminal } = stream(true);
    const progress = createFixProgress(terminal);
    progress.look(well, 10, 20);
    progress.look(well, 20, 20);
    progress.done();
    expect(written[0]).toContain('[==========          ] quiet for 10 of 20 s');
    expect(written.every((text) => text.startsWith('\r'))).toBe(true);
    expect(written.at(-1)).toBe('\r\u001b[K');
    expect(Math.max(...written.map((text) => text.replace('\r\u001b[K', '').length))).toBeLessThan(60);
  });

  it('says only what changed where there is no terminal', () => {
    const { written, stream: file } = stream(false);
    const progress = createFixProgress(file);
    for (const look of [sick, sick, well, well]) progress.look(look, 0, 20);
    progress.done();
    expect(written).toHaveLength(2);
    expect(written[0]).toContain('shop/web-0: CrashLoopBackOff');
    expect(written.join('')).not.toContain('\r');
  });

  it('lets nothing through that a terminal would obey', () => {
    const { written, stream: file } = stream(false);
    createFixProgress(file).step('node \u001b[2J said so');
    expect(written.join('')).not.toContain('\u001b');
  });
});
