import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { collectStdin } from './stdin.ts';
import { contentOf, gather, inFolder, tarBytes } from './testing-archives.ts';

describe('collectStdin', () => {
  it('reads text in whatever chunks it comes', async () => {
    const { texts } = await gather(collectStdin(Readable.from(['NAME   READY\n', Buffer.from('web-0  0/1\n')])));
    expect(texts).toEqual({ stdin: 'NAME   READY\nweb-0  0/1\n' });
  });

  it('opens archives', async () => {
    const { texts } = await gather(collectStdin(Readable.from([gzipSync(tarBytes([{ path: 'x/pods.txt', body: 'pods' }]))])));
    expect(texts).toEqual({ 'stdin/x/pods.txt': 'pods' });
  });

  it('notes that nothing came', async () => {
    expect((await gather(collectStdin(Readable.from([])))).unread).toEqual({ stdin: 'empty' });
  });

  it('holds a middling stream in memory and a large one in a temporary file', () =>
    inFolder(async (folder) => {
      const spool = join(folder, 'missing');
      const limits = { heldBytes: 1000, stdinHeldBytes: 10_000, temporaryFolder: spool };
      const middling = await gather(collectStdin(Readable.from(['a\n'.repeat(2000)]), limits));
      expect(middling.documents[0]?.bytes).toBeUndefined();
      expect(middling.texts['stdin']).toBe('a\n'.repeat(2000));
      mkdirSync(spool);
      const large = await gather(collectStdin(Readable.from(Array.from({ length: 30 }, () => 'b\n'.repeat(500))), limits));
      expect(large.texts['stdin']).toBe('b\n'.repeat(15_000));
      expect(large.documents[0]?.size).toBe(30_000);
      expect(readdirSync(spool)).toEqual([]);
      if (!large.documents[0]) throw new Error('no document');
      expect((await contentOf(large.documents[0])).length).toBe(30_000);
    }));

  it('keeps what came before a broken stream', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield 'first line\n';
      throw new Error('connection reset');
    }
    const { texts, unread } = await gather(collectStdin(broken()));
    expect(texts).toEqual({ stdin: 'first line\n' });
    expect(unread).toEqual({ stdin: 'could not be read: connection reset' });
  });

  it('ends a stream that never does', async () => {
    async function* endless(): AsyncGenerator<string> {
      for (;;) yield 'y\n'.repeat(500);
    }
    const { documents, unread } = await gather(collectStdin(endless(), { unpackedBytes: 50_000 }));
    expect(documents[0]?.size).toBe(50_000);
    expect(unread['stdin']).toBe('not read to the end: archives and pipes gave more than 48.8 kB');
  });
});
