import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { inFolder } from '../../src/collect/testing-archives.ts';
import type { Report } from '../../src/model/report.ts';
import { builtCli, inBash, looksCrashed, podcause, type Ran } from '../cli/built-cli.ts';
import { damagedFiles } from './damaged-files.ts';

/** What a report says about a document: why it was not read, what it was taken for, or that nobody knew it. */
function accountOf({ coverage, excerpts }: Report, doc: string): string {
  const own = (one: { doc: string }) => one.doc === doc || one.doc.startsWith(`${doc}/`);
  return [
    ...coverage.unread.filter(own).map(({ why }) => why),
    ...coverage.pieces.filter(own).map(({ what }) => `read as ${what}`),
    ...coverage.unrecognised.filter(own).map(() => 'not recognised'),
    ...coverage.looked.filter(({ docs }) => docs.includes(doc)).map(({ channel }) => `gave ${channel}`),
    ...excerpts.filter(own).map(() => 'cited'),
  ].join('; ');
}

describe('damaged and hostile files', () => {
  const files = damagedFiles();
  let ran: Ran;
  let report: Report;

  beforeAll(
    () =>
      inFolder(async (folder) => {
        for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
        ran = await podcause(['.', '-o', 'json', '--timing'], { cwd: folder });
        report = JSON.parse(ran.stdout);
        expect(existsSync(join(folder, '..', 'climbed.txt'))).toBe(false);
      }),
    60_000,
  );

  it('do not crash it, break a rule or eat the memory', () => {
    expect(looksCrashed(ran)).toBe(false);
    expect(report.failures).toEqual([]);
    expect(JSON.parse(ran.stderr).maxRssMb).toBeLessThan(500);
    expect(JSON.parse(ran.stderr).cpuMilliseconds).toBeLessThan(15_000);
    expect(Object.getPrototypeOf(report)).toBe(Object.prototype);
  });

  it('are all accounted for', () => {
    const silent = Object.keys(files).filter((name) => accountOf(report, name) === '');
    expect(silent).toEqual(['newlines.txt']);
  });

  it.each<[string, RegExp]>([
    ['cut.gz', /cut short/],
    ['random.bin', /^binary/],
    ['picture.png', /PNG/],
    ['utf16le.txt', /read as kubectl get pods/],
    ['utf16be.txt', /read as kubectl get pods/],
    ['empty.txt', /^empty/],
    ['zeros.log', /NUL/],
    ['climbing.zip', /points outside the archive.*link inside an archive|link inside an archive.*points outside/],
    ['climbing.tar', /cut short: the archive ends too early/],
    ['bomb.gz', /grows more than 200-fold/],
    ['bomb.zip', /grows more than 200-fold/],
    ['russian-doll.tar', /an archive inside 3 others/],
    ['liar.zip', /damaged or cut short/],
    ['liar.gz', /damaged|cut short/],
  ])('%s', (name, words) => {
    expect(accountOf(report, name)).toMatch(words);
  });
});

describe('folders that are no trees', () => {
  it('are walked once, and what cannot be read is told', () =>
    inFolder(async (folder) => {
      const inside = join(folder, 'in');
      mkdirSync(join(inside, 'deep'), { recursive: true });
      writeFileSync(join(inside, 'deep', 'a.log'), '2031-05-01T10:00:00Z ERROR cannot claim slot 7: taken\n');
      symlinkSync('..', join(inside, 'deep', 'up'));
      symlinkSync('self', join(inside, 'self'));
      symlinkSync('/', join(inside, 'root'));
      symlinkSync('/dev/zero', join(inside, 'endless'));
      execFileSync('mkfifo', [join(inside, 'pipe')]);
      writeFileSync(join(inside, 'forbidden.log'), 'x');
      chmodSync(join(inside, 'forbidden.log'), 0);
      chmodSync(folder, 0o755);
      chmodSync(dirname(await builtCli()), 0o755);
      const asNobody = process.getuid?.() === 0 ? { uid: 65_534 } : {};
      const { stdout, code } = await podcause(['in', '-o', 'json'], { cwd: folder, ...asNobody });
      const report: Report = JSON.parse(stdout);
      expect(code).not.toBe(3);
      expect(report.coverage.documents).toBe(1);
      const why = Object.fromEntries(report.coverage.unread.map((one) => [one.doc, one.why]));
      expect(why['in/self']).toContain('circle');
      expect(why['in/root']).toContain('outside the folder');
      expect(why['in/endless']).toContain('outside the folder');
      expect(why['in/pipe']).toContain('named pipe');
      expect(why['in/forbidden.log']).toBe('permission denied');
    }));
});

function becomeFolder(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

describe('files that change while they are read', () => {
  it.each<[string, (path: string) => void, string]>([
    ['goes away', (path) => rmSync(path), 'it went away'],
    ['is emptied', (path) => truncateSync(path), 'empty'],
    ['becomes a folder', becomeFolder, 'it is a folder'],
  ])('one that %s is told', (_, change, why) =>
    inFolder(async (folder) => {
      const path = join(folder, 'pods.txt');
      writeFileSync(path, 'NAME   READY   STATUS    RESTARTS   AGE\nweb-0  1/1     Running   0          3d\n');
      // Standard input comes first, and more of it than a pipe holds: once it is gone, the paths have been looked at.
      const feed = 'yes "" | head -c 1000000; touch fed; while [ ! -e go ]; do sleep 0.05; done';
      const running = inBash(`{ ${feed}; } | podcause -o json - pods.txt`, { cwd: folder });
      while (!existsSync(join(folder, 'fed'))) await new Promise((resolve) => setTimeout(resolve, 50));
      change(path);
      writeFileSync(join(folder, 'go'), '');
      const { stdout } = await running;
      const report: Report = JSON.parse(stdout);
      expect(report.coverage.unread.find(({ doc }) => doc === 'pods.txt')?.why).toContain(why);
    }),
  );

  it('one named file that cannot be opened is a clear error', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'secret.log');
      writeFileSync(path, 'x');
      chmodSync(path, 0);
      chmodSync(folder, 0o755);
      chmodSync(dirname(await builtCli()), 0o755);
      const asNobody = process.getuid?.() === 0 ? { uid: 65_534 } : {};
      const { code, stderr, stdout } = await podcause([path], asNobody);
      expect(code).toBe(3);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/Cannot read ".*secret\.log": permission denied\. Run as a user who may read it/);
    }));
});
