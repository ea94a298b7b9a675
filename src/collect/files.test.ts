import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CollectError, namedPathError } from './collect-error.ts';
import { collectPaths } from './files.ts';
import { contentOf, gather, inFolder, tarBytes } from './testing-archives.ts';

const isRoot = process.getuid?.() === 0;

describe('paths the user names', () => {
  it('reads a file under the name that was typed', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'kubelet.log');
      writeFileSync(path, 'E0411 boom\n');
      const { texts, documents } = await gather(collectPaths([path]));
      expect(texts).toEqual({ [path]: 'E0411 boom\n' });
      expect(documents[0]?.size).toBe(11);
      expect(documents[0]?.bytes).toBeDefined();
    }));

  it('reads the same file once when it is named twice', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'a.log');
      writeFileSync(path, 'x');
      expect((await gather(collectPaths([path, join(folder, '.', 'a.log')]))).names).toHaveLength(1);
    }));

  it('says at once which path is missing and what to do', () => {
    const missing = join(tmpdir(), 'no-such-place', 'events.txt');
    expect(() => collectPaths([missing])).toThrow(CollectError);
    expect(() => collectPaths([missing])).toThrow(/Cannot read ".*events\.txt": there is no such file or folder\. Check the spelling/);
    for (const path of ['', 'nul\0byte', 'x'.repeat(100_000), `${process.execPath}/below-a-file`]) {
      expect(() => collectPaths([path])).toThrow(CollectError);
    }
  });

  it('words a refusal by the system so that a user knows what to do', () => {
    const refused = namedPathError('/secret/kubelet.log', Object.assign(new Error('refused'), { code: 'EACCES' }));
    expect(refused).toBeInstanceOf(CollectError);
    expect(refused.path).toBe('/secret/kubelet.log');
    expect(refused.message).toBe(
      'Cannot read "/secret/kubelet.log": permission denied. Run as a user who may read it, or copy it to a place you can read.',
    );
  });

  it.skipIf(isRoot)('says when a path may not be read', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'secret.log');
      writeFileSync(path, 'x');
      chmodSync(path, 0);
      expect(() => collectPaths([path])).toThrow(/permission denied/);
    }),
  );

  it('notes sockets and devices, and reads a named pipe as a stream', () =>
    inFolder(async (folder) => {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const writer = spawn('sh', ['-c', `printf 'from a pipe' > '${pipe}'`]);
      const { texts, unread } = await gather(collectPaths([pipe, '/dev/zero']));
      writer.kill();
      expect(texts).toEqual({ [pipe]: 'from a pipe' });
      expect(unread).toEqual({ '/dev/zero': 'a device: not read' });
    }));

  it('reads files that claim to be empty and are not', async () => {
    const { texts } = await gather(collectPaths(['/proc/self/mounts']));
    expect(texts['/proc/self/mounts']).toContain(' / ');
  });
});

describe('folders', () => {
  it('are walked in order, hidden files included, .git left out', () =>
    inFolder(async (folder) => {
      mkdirSync(join(folder, 'logs', 'deep'), { recursive: true });
      mkdirSync(join(folder, 'logs', '.git'));
      for (const name of ['b.log', 'a.log', '.hidden', 'deep/z.log', '.git/config']) writeFileSync(join(folder, 'logs', name), name);
      const { names } = await gather(collectPaths([`${folder}/logs/`]));
      expect(names).toEqual(['.hidden', 'a.log', 'b.log', 'deep/z.log'].map((name) => `${folder}/logs/${name}`));
    }));

  it('read what a link inside points to exactly once, and never leave by a link', () =>
    inFolder(async (folder) => {
      const logs = join(folder, 'logs');
      mkdirSync(join(logs, 'pods'), { recursive: true });
      writeFileSync(join(logs, 'pods', '0.log'), 'inside');
      writeFileSync(join(folder, 'outside.log'), 'outside');
      symlinkSync('pods/0.log', join(logs, 'current.log'));
      symlinkSync('..', join(logs, 'pods', 'loop'));
      symlinkSync(folder, join(logs, 'up'));
      symlinkSync('../outside.log', join(logs, 'out.log'));
      symlinkSync('nowhere', join(logs, 'dangling'));
      const { texts, unread } = await gather(collectPaths([logs]));
      expect(Object.values(texts)).toEqual(['inside']);
      expect(unread).toEqual({
        [`${logs}/dangling`]: 'a link that leads nowhere',
        [`${logs}/out.log`]: 'a link to outside the folder: not followed',
        [`${logs}/up`]: 'a link to outside the folder: not followed',
      });
    }));

  it('note what is empty, binary, special or forbidden inside', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'empty.log'), '');
      writeFileSync(join(folder, 'shot.png'), Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'));
      writeFileSync(join(folder, 'blob'), deflateSync(Buffer.from(Array.from({ length: 9000 }, (_, index) => (index * index * 31) % 251))));
      writeFileSync(join(folder, 'forbidden'), 'x');
      chmodSync(join(folder, 'forbidden'), 0);
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      const { names, unread } = await gather(collectPaths([folder]));
      expect(names).toEqual(isRoot ? [`${folder}/forbidden`] : []);
      expect(unread[`${folder}/empty.log`]).toBe('empty');
      expect(unread[`${folder}/shot.png`]).toBe('binary (PNG image)');
      expect(unread[`${folder}/blob`]).toBe('binary (not text)');
      expect(unread[`${folder}/pipe`]).toBe('a named pipe: not read');
      if (!isRoot) expect(unread[`${folder}/forbidden`]).toBe('permission denied');
    }));

  it('without files are noted', () =>
    inFolder(async (folder) => {
      expect((await gather(collectPaths([folder]))).unread).toEqual({ [folder]: 'a folder without files' });
    }));

  it('with names that would draw on a terminal are shown harmlessly', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'a\u001b[31m\u202egol.txt'), 'x');
      expect((await gather(collectPaths([folder]))).names).toEqual([`${folder}/a\ufffd[31m\ufffdgol.txt`]);
    }));
});

describe('sizes', () => {
  it('hands small documents over as bytes and streams large ones, again and again', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'big.log'), 'line of a log\n'.repeat(1000));
      const { documents } = await gather(collectPaths([folder], { heldBytes: 5000 }));
      expect(documents[0]?.bytes).toBeUndefined();
      expect(documents[0]?.size).toBe(14_000);
      if (!documents[0]) throw new Error('no document');
      expect((await contentOf(documents[0])).length).toBe(14_000);
      expect((await contentOf(documents[0])).length).toBe(14_000);
    }));

  it('notes a large file that goes away between two readings', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'big.log');
      writeFileSync(path, 'line of a log\n'.repeat(1000));
      const collected = collectPaths([path], { heldBytes: 5000 });
      const { documents } = await gather(collected);
      execFileSync('rm', [path]);
      if (!documents[0]) throw new Error('no document');
      expect((await contentOf(documents[0])).length).toBe(0);
      expect(collected.unread).toEqual([{ doc: path, why: 'not read to the end: it went away before it could be read' }]);
    }));

  it('keeps large members in a temporary file that no one can find', () =>
    inFolder(async (folder) => {
      const spool = join(folder, 'spool');
      mkdirSync(spool);
      const first = 'first member\n'.repeat(1000);
      const second = 'second\n'.repeat(3000);
      writeFileSync(
        join(folder, 'a.tar'),
        tarBytes([
          { path: 'one', body: first },
          { path: 'two', body: second },
          { path: 'three', body: 'small' },
        ]),
      );
      const { texts, documents } = await gather(collectPaths([join(folder, 'a.tar')], { heldBytes: 5000, temporaryFolder: spool }));
      expect(Object.values(texts)).toEqual([first, second, 'small']);
      expect(readdirSync(spool)).toEqual([]);
      expect(documents.map((document) => document.bytes !== undefined)).toEqual([false, false, true]);
      if (!documents[0]) throw new Error('no document');
      expect((await contentOf(documents[0])).toString()).toBe(first);
    }));

  it('keeps the beginning when the temporary folder has no room', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'a.tar'), tarBytes([{ path: 'one', body: 'x\n'.repeat(5000) }]));
      const limits = { heldBytes: 4096, temporaryFolder: join(folder, 'missing') };
      const { documents, unread } = await gather(collectPaths([join(folder, 'a.tar')], limits));
      expect(documents[0]?.bytes?.length).toBe(4096);
      expect(unread[`${folder}/a.tar/one`]).toContain('only its first 4096 bytes were read');
    }));
});
