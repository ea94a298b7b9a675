import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { collectPaths } from './files.ts';
import { collectStdin } from './stdin.ts';
import { gather, inFolder } from './testing-archives.ts';

const LOG = 'E0411 节点 worker-2: mount failed 🙂\n'.repeat(500);

describe('large text in two-byte encodings', () => {
  it.each([
    ['little-endian', Buffer.from(`\ufeff${LOG}`, 'utf16le')],
    ['big-endian', Buffer.from(`\ufeff${LOG}`, 'utf16le').swap16()],
    ['unmarked', Buffer.from(LOG, 'utf16le')],
  ])('streams as UTF-8: %s', (_, bytes) =>
    inFolder(async (folder) => {
      const path = join(folder, 'kubelet.log');
      writeFileSync(path, bytes);
      const fromFile = await gather(collectPaths([path], { heldBytes: 5000 }));
      expect(fromFile.documents[0]?.bytes).toBeUndefined();
      expect(fromFile.texts[path]).toBe(LOG);
      const odd = Array.from({ length: Math.ceil(bytes.length / 777) }, (__, index) => bytes.subarray(index * 777, (index + 1) * 777));
      const fromPipe = await gather(collectStdin(Readable.from(odd), { heldBytes: 5000, stdinHeldBytes: 5000 }));
      expect(fromPipe.texts['stdin']).toBe(LOG);
    }),
  );

  it('leaves small documents and other encodings alone', () =>
    inFolder(async (folder) => {
      const bytes = Buffer.from(`\ufeff${LOG}`, 'utf16le');
      writeFileSync(join(folder, 'small.log'), bytes);
      const { documents } = await gather(collectPaths([folder]));
      expect(documents[0]?.bytes).toEqual(bytes);
    }));
});
