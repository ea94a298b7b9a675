import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inFolder, tarBytes } from '../../src/collect/testing-archives.ts';
import type { Report } from '../../src/model/report.ts';
import { inBash, podcause, type Ran } from '../cli/built-cli.ts';
import { manyEntryZip } from './many-entry-zip.ts';

const MEGABYTE = 1024 * 1024;
const TIMEOUT = 10 * 60_000;
const MOST_MEMORY_MB = 400;

const FAILURE =
  'May 01 10:00:00 beech-2 kubelet[811]: E0501 10:00:00.000000     811 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"app\\" with CrashLoopBackOff: \\"back-off 5m0s restarting failed container=app pod=web-0_shop(1b2c)\\"" pod="shop/web-0" podUID="1b2c"\n';

/** A megabyte of a journal, each line with its own numbers, as compressors and caches dislike it. */
function journalBlock(seed: number): Buffer {
  const lines: string[] = [];
  let length = 0;
  for (let line = 0; length < MEGABYTE; line++) {
    const number = (seed * 7919 + line * 104_729) % 1_000_003;
    const text = `May 01 10:00:00 beech-2 kubelet[811]: I0501 10:00:00.${String(number % 1_000_000).padStart(6, '0')}     811 reconciler.go:${number % 997}] "operation ${number.toString(36)} done" pod="shop/web-${number % 40}"\n`;
    lines.push(text);
    length += text.length;
  }
  return Buffer.from(lines.join(''));
}

function writeJournal(path: string, megabytes: number): void {
  const file = openSync(path, 'w');
  const blocks = Array.from({ length: 16 }, (_, seed) => journalBlock(seed));
  for (let index = 0; index < megabytes; index++) {
    writeSync(file, blocks[index % blocks.length] as Buffer);
    if (index % 64 === 32) writeSync(file, FAILURE);
  }
  closeSync(file);
}

function measured({ code, stdout, stderr }: Ran): { report: Report; cost: { maxRssMb: number; bytes: number; lines: number } } {
  expect(code, stderr.slice(0, 500)).not.toBe(3);
  return { report: JSON.parse(stdout), cost: JSON.parse(stderr) };
}

function whyUnread(report: Report): string {
  return report.coverage.unread.map(({ doc, why }) => `${doc}: ${why}`).join('\n');
}

describe('more than memory could hold', () => {
  it('reads a gigabyte of a log, from disk and through a pipe', () =>
    inFolder(async (folder) => {
      writeJournal(join(folder, 'kubelet.log'), 1024);
      for (const script of ['podcause kubelet.log', 'cat kubelet.log | podcause -']) {
        const ran = await inBash(`${script} -o json --timing`, { cwd: folder, timeout: TIMEOUT });
        const { report, cost } = measured(ran);
        expect(cost.bytes).toBeGreaterThan(1024 * MEGABYTE);
        expect(cost.maxRssMb).toBeLessThan(MOST_MEMORY_MB);
        expect(JSON.stringify(report)).toContain('shop/web-0');
      }
    }));

  it('reads a log of one line', () =>
    inFolder(async (folder) => {
      const file = openSync(join(folder, 'app.log'), 'w');
      for (let index = 0; index < 300; index++) writeSync(file, 'x'.repeat(MEGABYTE));
      closeSync(file);
      const ran = await podcause(['app.log', '-o', 'json', '--timing'], { cwd: folder, timeout: TIMEOUT });
      const { report, cost } = measured(ran);
      expect(cost.maxRssMb).toBeLessThan(MOST_MEMORY_MB);
      expect(whyUnread(report)).toContain('lines over 64 kB');
    }));

  it('reads the ends of a log that is mostly a hole', () =>
    inFolder(async (folder) => {
      const file = openSync(join(folder, 'kubelet.log'), 'w');
      writeSync(file, FAILURE);
      ftruncateSync(file, 2048 * MEGABYTE);
      writeSync(file, `\n${FAILURE}`, 2048 * MEGABYTE);
      closeSync(file);
      const ran = await podcause(['kubelet.log', '-o', 'json', '--timing'], { cwd: folder, timeout: TIMEOUT });
      const { report, cost } = measured(ran);
      expect(cost.maxRssMb).toBeLessThan(MOST_MEMORY_MB);
      expect(report.incidents.length + report.undecided.length).toBeGreaterThan(0);
    }));

  it('reads a list of objects of half a gigabyte', () =>
    inFolder(async (folder) => {
      const file = openSync(join(folder, 'pods.json'), 'w');
      const item = (index: number, ready: boolean) =>
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: `web-${index}`, namespace: 'shop', annotations: { note: 'n'.repeat(3000) } },
          spec: { nodeName: `node-${index % 500}`, containers: [{ name: 'app', image: 'app:1' }] },
          status: {
            phase: 'Running',
            containerStatuses: [
              {
                name: 'app',
                ready,
                restartCount: ready ? 0 : 9,
                state: ready ? { running: {} } : { waiting: { reason: 'CrashLoopBackOff' } },
              },
            ],
          },
        });
      writeSync(file, '{"apiVersion":"v1","kind":"List","items":[');
      for (let index = 0; index < 150_000; index++) writeSync(file, `${index > 0 ? ',' : ''}${item(index, index % 1000 !== 7)}`);
      writeSync(file, ']}');
      closeSync(file);
      const ran = await podcause(['pods.json', '-o', 'json', '--timing'], { cwd: folder, timeout: TIMEOUT });
      const { report, cost } = measured(ran);
      expect(cost.bytes).toBeGreaterThan(450 * MEGABYTE);
      expect(cost.maxRssMb).toBeLessThan(MOST_MEMORY_MB);
      expect(report.verdict).not.toBe('healthy');
    }));
});

describe('more entries than anybody wants', () => {
  const ENTRIES = 300_000;
  const READ = '300000 entries, of which only the first 200000 were read';

  it('reads the first of a tar, and counts the rest', () =>
    inFolder(async (folder) => {
      const block = tarBytes([{ path: 'a.log', body: 'FATAL cannot claim slot 7: taken\n' }]).subarray(0, 1024);
      const file = openSync(join(folder, 'many.tar'), 'w');
      const thousand = Buffer.concat(Array.from({ length: 1000 }, () => block));
      for (let index = 0; index < ENTRIES / 1000; index++) writeSync(file, thousand);
      writeSync(file, Buffer.alloc(1024));
      closeSync(file);
      const { report, cost } = measured(await podcause(['many.tar', '-o', 'json', '--timing'], { cwd: folder, timeout: TIMEOUT }));
      expect(report.coverage.documents).toBe(200_000);
      expect(whyUnread(report)).toContain(READ);
      expect(cost.maxRssMb).toBeLessThan(2 * MOST_MEMORY_MB);
    }));

  it('reads the first of a zip, and counts the rest', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'many.zip'), manyEntryZip(ENTRIES, Buffer.from('x\n')));
      const { report, cost } = measured(await podcause(['many.zip', '-o', 'json', '--timing'], { cwd: folder, timeout: TIMEOUT }));
      expect(whyUnread(report)).toContain(READ);
      expect(cost.maxRssMb).toBeLessThan(2 * MOST_MEMORY_MB);
    }));

  it('walks a folder of fifty thousand files', () =>
    inFolder(async (folder) => {
      for (let index = 0; index < 50_000; index++) {
        if (index % 1000 === 0) mkdirSync(join(folder, `d${index / 1000}`));
        writeFileSync(join(folder, `d${Math.floor(index / 1000)}`, `${index}.log`), index % 2 === 0 ? '' : 'started\n');
      }
      const { report, cost } = measured(await podcause(['.', '-o', 'json', '--timing'], { cwd: folder, timeout: TIMEOUT }));
      expect(report.coverage.documents).toBe(25_000);
      expect(whyUnread(report)).toContain('empty (and ');
      expect(cost.maxRssMb).toBeLessThan(MOST_MEMORY_MB);
    }));

  it('stops a bomb of ten gigabytes', () =>
    inFolder(async (folder) => {
      const zeros = gzipSync(Buffer.alloc(256 * MEGABYTE, 10), { level: 9 });
      writeFileSync(join(folder, 'bomb.gz'), Buffer.concat(Array.from({ length: 40 }, () => zeros)));
      const { report, cost } = measured(await podcause(['bomb.gz', '-o', 'json', '--timing'], { cwd: folder, timeout: TIMEOUT }));
      expect(whyUnread(report)).toContain('grows more than 200-fold');
      expect(cost.bytes).toBeLessThan(200 * MEGABYTE);
      rmSync(join(folder, 'bomb.gz'));
    }));
});
