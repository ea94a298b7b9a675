import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as tar from 'tar';
import { describe, expect, it } from 'vitest';
import { collectPaths } from './files.ts';
import { gather, inFolder, tarBytes, zipBytes } from './testing-archives.ts';

describe('archives', () => {
  it('are told by their bytes, whatever they are called', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'gz'), gzipSync('from gzip'));
      writeFileSync(join(folder, 'tar'), tarBytes([{ path: 'inner/a.log', body: 'from tar' }]));
      writeFileSync(join(folder, 'tgz'), gzipSync(tarBytes([{ path: './inner/b.log', body: 'from tgz' }])));
      writeFileSync(
        join(folder, 'zip'),
        zipBytes([
          { path: 'inner/c.log', body: 'from zip' },
          { path: 'd.log', body: 'stored', stored: true },
        ]),
      );
      writeFileSync(join(folder, 'text.zip'), 'only text');
      const { texts } = await gather(collectPaths([folder]));
      expect(texts).toEqual({
        [`${folder}/gz`]: 'from gzip',
        [`${folder}/tar/inner/a.log`]: 'from tar',
        [`${folder}/tgz/inner/b.log`]: 'from tgz',
        [`${folder}/zip/inner/c.log`]: 'from zip',
        [`${folder}/zip/d.log`]: 'stored',
        [`${folder}/text.zip`]: 'only text',
      });
    }));

  it('made by real tools are read, long names included', () =>
    inFolder(async (folder) => {
      const long = `${'deep-folder/'.repeat(20)}kubelet-ü.log`;
      mkdirSync(join(folder, 'in', long, '..'), { recursive: true });
      writeFileSync(join(folder, 'in', long), 'long');
      await tar.create({ file: join(folder, 'pax.tgz'), gzip: true, cwd: join(folder, 'in') }, ['.']);
      execFileSync('tar', ['--format=gnu', '-cf', join(folder, 'gnu.tar'), '-C', join(folder, 'in'), '.']);
      const { texts, unread } = await gather(collectPaths([join(folder, 'pax.tgz'), join(folder, 'gnu.tar')]));
      expect(texts).toEqual({ [`${folder}/pax.tgz/${long}`]: 'long', [`${folder}/gnu.tar/${long}`]: 'long' });
      expect(unread).toEqual({});
    }));

  it('inside archives are opened, to a depth', () =>
    inFolder(async (folder) => {
      const level1 = tarBytes([{ path: 'l.log.gz', body: gzipSync('gz in tar') }]);
      const level2 = zipBytes([{ path: 'one.tar', body: level1 }]);
      const level3 = tarBytes([{ path: 'two.zip', body: level2 }]);
      writeFileSync(join(folder, 'three.tgz'), gzipSync(level3));
      writeFileSync(join(folder, 'four.tar'), tarBytes([{ path: 'three.tar', body: level3 }]));
      const { texts, unread } = await gather(collectPaths([join(folder, 'three.tgz'), join(folder, 'four.tar')]));
      expect(texts).toEqual({ [`${folder}/three.tgz/two.zip/one.tar/l.log.gz`]: 'gz in tar' });
      expect(unread).toEqual({ [`${folder}/four.tar/three.tar/two.zip/one.tar`]: 'an archive inside 3 others: not opened' });
    }));

  it('larger than memory are read as zip from disk and from the temporary file', () =>
    inFolder(async (folder) => {
      const body = Buffer.from(Array.from({ length: 40_000 }, (_, index) => 33 + ((index * 7919) % 90)));
      const zip = zipBytes([
        { path: 'a', body: 'A' },
        { path: 'b', body, stored: true },
      ]);
      writeFileSync(join(folder, 'a.zip'), zip);
      writeFileSync(
        join(folder, 'b.tar'),
        tarBytes([
          { path: 'other', body: 'x'.repeat(9000) },
          { path: 'b.zip', body: zip },
        ]),
      );
      const { texts } = await gather(collectPaths([folder], { heldBytes: 8000, stdinHeldBytes: 8000 }));
      expect(texts[`${folder}/a.zip/b`]).toBe(body.toString());
      expect(texts[`${folder}/b.tar/b.zip/b`]).toBe(body.toString());
    }));

  it('can be left in the middle', () =>
    inFolder(async (folder) => {
      const members = Array.from({ length: 50 }, (_, index) => ({ path: `${index}.log`, body: `line ${index}\n`.repeat(2000) }));
      writeFileSync(join(folder, 'a.tgz'), gzipSync(tarBytes(members)));
      writeFileSync(join(folder, 'b.zip'), zipBytes(members));
      for (const name of ['a.tgz', 'b.zip']) {
        const collected = collectPaths([join(folder, name)], { heldBytes: 1000 });
        let seen = 0;
        for await (const document of collected.documents) {
          seen += 1;
          for await (const chunk of document.read?.() ?? []) {
            expect(chunk.length).toBeGreaterThan(0);
            break;
          }
          if (seen === 3) break;
        }
        expect(seen).toBe(3);
        expect(collected.unread).toEqual([]);
      }
    }));
});
