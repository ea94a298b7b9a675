import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectPaths } from './files.ts';
import type { Limits } from './limits.ts';
import { collectStdin } from './stdin.ts';
import { type Gathered, gather, inFolder, tarBytes, zipBytes } from './testing-archives.ts';

function stdin(bytes: Uint8Array, limits?: Limits): Promise<Gathered> {
  return gather(collectStdin(Readable.from([bytes]), limits));
}

describe('names that try to leave the archive', () => {
  it('are shown without their climbing and write nothing', () =>
    inFolder(async (folder) => {
      const evil = ['../../escape.txt', '/etc/escape.txt', 'C:\\escape.txt', '..\\up.txt'];
      const archive = zipBytes([...evil.map((path) => ({ path, body: path })), { path: 'fine.txt', body: 'fine' }]);
      writeFileSync(join(folder, 'a.zip'), archive);
      writeFileSync(join(folder, 'a.tar'), tarBytes(evil.map((path) => ({ path, body: path }))));
      const { names, unread } = await gather(collectPaths([folder]));
      expect(names).toEqual(
        ['a.tar/escape.txt', 'a.tar/etc/escape.txt', 'a.tar/escape.txt', 'a.tar/up.txt']
          .concat(['a.zip/escape.txt', 'a.zip/etc/escape.txt', 'a.zip/escape.txt', 'a.zip/up.txt', 'a.zip/fine.txt'])
          .map((name) => `${folder}/${name}`),
      );
      expect(unread[`${folder}/a.zip/etc/escape.txt`]).toContain('points outside the archive');
      expect(unread[`${folder}/a.tar/up.txt`]).toContain('points outside the archive');
      expect(readdirSync(folder).sort()).toEqual(['a.tar', 'a.zip']);
      expect(existsSync(join(folder, '..', 'escape.txt'))).toBe(false);
    }));
});

describe('entries that are no files', () => {
  it('are skipped with a note', async () => {
    const { names, unread } = await stdin(
      tarBytes([
        { path: 'dir/', type: 'Directory' },
        { path: 'link', type: 'SymbolicLink', linkpath: '/etc/shadow' },
        { path: 'hard', type: 'Link', linkpath: 'x' },
        { path: 'tty', type: 'CharacterDevice' },
        { path: 'pipe', type: 'FIFO' },
        { path: 'x', body: 'x' },
      ]),
    );
    expect(names).toEqual(['stdin/x']);
    expect(unread).toEqual({
      'stdin/link': 'a link inside an archive: not followed',
      'stdin/hard': 'a link inside an archive: not followed',
      'stdin/tty': 'a device: not read',
      'stdin/pipe': 'a named pipe: not read',
    });
  });

  it('also in a zip, with encrypted and oddly packed ones', async () => {
    const { names, unread } = await stdin(
      zipBytes([
        { path: 'dir/' },
        { path: 'link', body: '/etc/shadow', symlink: true },
        { path: 'locked', body: 'x', encrypted: true },
        { path: 'odd', body: 'x', method: 93 },
        { path: 'x', body: 'x' },
      ]),
    );
    expect(names).toEqual(['stdin/x']);
    expect(unread).toEqual({
      'stdin/link': 'a link inside an archive: not followed',
      'stdin/locked': 'encrypted: unpack it with its password first',
      'stdin/odd': 'packed with a method this tool does not know (93): unpack it first',
    });
  });
});

describe('bombs', () => {
  const limits: Limits = { freeUnpackedBytes: 100_000, expansion: 50, heldBytes: 10_000_000 };

  it('stops a gzip that grows out of proportion and keeps its beginning', async () => {
    const { documents, unread } = await stdin(gzipSync('a'.repeat(5_000_000)), limits);
    expect(documents[0]?.size).toBeGreaterThan(50_000);
    expect(documents[0]?.size).toBeLessThan(2_000_000);
    expect(unread['stdin']).toMatch(/^not read to the end: it grows more than 50-fold when unpacked/);
  });

  it('stops a zip of many members by what they give together', async () => {
    const body = 'b'.repeat(90_000);
    const { names, unread } = await stdin(zipBytes(Array.from({ length: 40 }, (_, index) => ({ path: `${index}.log`, body }))), limits);
    expect(names.length).toBeLessThan(40);
    expect(Object.values(unread).join()).toContain('grows more than 50-fold');
  });

  it('lets a long honest log pass that packs well', async () => {
    const log = Array.from(
      { length: 8000 },
      (_, index) => `2031-05-01T10:00:00Z worker ${index * 7919} said ${(index * 104729).toString(36)}`,
    ).join('\n');
    const { texts, unread } = await stdin(gzipSync(log), limits);
    expect(texts['stdin']).toBe(log);
    expect(unread).toEqual({});
  });

  it('stops when everything together is too much', async () => {
    const member = { path: 'a', body: Buffer.from(Array.from({ length: 30_000 }, (_, index) => 32 + ((index * index) % 90))) };
    const { unread } = await stdin(gzipSync(tarBytes([member, member, member])), { unpackedBytes: 70_000 });
    expect(Object.values(unread)[0]).toContain('archives and pipes gave more than');
  });

  it('does not open gzip in gzip in gzip', async () => {
    const { unread } = await stdin(gzipSync(gzipSync(gzipSync('x'))));
    expect(unread).toEqual({ stdin: 'gzip inside gzip, more than 2 layers deep: not opened' });
  });

  it('counts entries beyond the limit and says so', async () => {
    const entries = Array.from({ length: 30 }, (_, index) => ({ path: `f${index}`, body: 'x' }));
    const fromTar = await stdin(tarBytes(entries), { entries: 10 });
    expect(fromTar.names).toHaveLength(10);
    expect(fromTar.unread).toEqual({ stdin: '30 entries, of which only the first 10 were read' });
    const fromZip = await stdin(zipBytes(entries), { entries: 10 });
    expect(fromZip.names).toHaveLength(10);
    expect(fromZip.unread).toEqual({ stdin: '30 entries, of which only the first 10 were read' });
  });

  it('does not keep a note for each of thousands of empty entries', async () => {
    const entries = Array.from({ length: 3000 }, (_, index) => ({ path: `f${index}` }));
    const collected = collectStdin(Readable.from([tarBytes(entries)]));
    await gather(collected);
    expect(collected.unread).toHaveLength(101);
    expect(collected.unread[100]?.why).toBe('empty (and 2899 more like it)');
  });
});

describe('damage', () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `line ${index} ${(index * 7919).toString(36)}`).join('\n');

  it('keeps what a truncated or corrupt gzip gave', async () => {
    const packed = gzipSync(lines);
    const cut = await stdin(packed.subarray(0, packed.length >> 1));
    expect(lines.startsWith(cut.texts['stdin'] ?? '?')).toBe(true);
    expect(cut.documents[0]?.size).toBeGreaterThan(1000);
    expect(cut.unread).toEqual({ stdin: 'cut short: the compressed data ends too early' });
    const corrupt = Buffer.from(packed);
    corrupt.fill(0xff, packed.length >> 1);
    const broken = await stdin(corrupt);
    expect(broken.documents).toHaveLength(1);
    expect(broken.unread['stdin']).toMatch(/^damaged: the compressed data is broken/);
  });

  it('ignores what stands behind the end of a gzip', async () => {
    const { texts } = await stdin(Buffer.concat([gzipSync('one\n'), gzipSync('two\n'), Buffer.alloc(3000)]));
    expect(texts).toEqual({ stdin: 'one\ntwo\n' });
  });

  it('keeps the members before the cut of a tar', async () => {
    const whole = tarBytes([
      { path: 'a', body: 'whole' },
      { path: 'b', body: lines },
    ]);
    const { texts, unread } = await stdin(whole.subarray(0, 4096));
    expect(texts['stdin/a']).toBe('whole');
    expect(lines.startsWith(texts['stdin/b'] ?? '?')).toBe(true);
    expect(unread).toEqual({ 'stdin/b': 'cut short: the archive ends too early' });
  });

  it('finds the members after a broken header of a tar', async () => {
    const whole = tarBytes([
      { path: 'a', body: 'A' },
      { path: 'b', body: 'B' },
      { path: 'c', body: 'C' },
    ]);
    whole.fill(0x41, 1024, 1100);
    const { texts, unread } = await stdin(whole);
    expect(texts).toEqual({ 'stdin/a': 'A', 'stdin/c': 'C' });
    expect(unread['stdin']).toMatch(/^damaged: a header/);
  });

  it('notes a zip without its directory, and reads on past a broken member', async () => {
    const whole = zipBytes([
      { path: 'a', body: 'A' },
      { path: 'b', body: lines },
      { path: 'c', body: 'C' },
    ]);
    expect((await stdin(whole.subarray(0, whole.length - 30))).unread).toEqual({
      stdin: 'damaged or cut short: the directory at its end is missing',
    });
    whole.fill(0xff, 200, 1000);
    const { texts, unread } = await stdin(whole);
    expect(texts['stdin/a']).toBe('A');
    expect(texts['stdin/c']).toBe('C');
    expect(unread['stdin/b']).toMatch(/^damaged/);
  });

  it('survives a zip whose directory points far outside', async () => {
    const zip = zipBytes([{ path: 'a', body: 'A' }]);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.fill(0xff, 8, 16);
    const { unread } = await stdin(Buffer.concat([zip.subarray(0, -22), locator, zip.subarray(-22)]));
    expect(unread['stdin']).toContain('damaged or cut short');
  });

  it('never throws, whatever the bytes', async () => {
    const seeds = [
      gzipSync(lines),
      tarBytes([
        { path: 'a', body: lines },
        { path: 'b', type: 'SymbolicLink', linkpath: 'c' },
      ]),
      gzipSync(tarBytes([{ path: 'x'.repeat(99), body: 'x' }])),
      zipBytes([
        { path: 'a', body: lines },
        { path: 'b', body: 'B', stored: true },
      ]),
      deflateRawSync(lines),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.uint8Array({ minLength: 1, maxLength: 8 })), {
          maxLength: 6,
        }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (seed, edits, cut) => {
          const bytes = Buffer.from(seed.subarray(0, Math.ceil(seed.length * cut)));
          for (const [place, patch] of edits) Buffer.from(patch).copy(bytes, Math.floor(place * bytes.length));
          const { documents } = await stdin(bytes, { heldBytes: 2000, stdinHeldBytes: 4000 });
          expect(documents.every(({ name }) => name.startsWith('stdin'))).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});
