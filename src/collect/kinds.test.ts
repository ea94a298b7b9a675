import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { detectKind, whyNotText } from './kinds.ts';
import { tarBytes, zipBytes } from './testing-archives.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('detectKind', () => {
  it.each([
    ['empty', Buffer.alloc(0)],
    ['gzip', gzipSync('x')],
    ['zip', zipBytes([])],
    ['tar', tarBytes([{ path: 'a', body: 'x' }])],
    ['text', Buffer.from('NAME READY\n')],
    ['text', Buffer.from('BZh is how this log line begins\n')],
    ['text', Buffer.from('Rarely seen')],
  ])('%s', (kind, bytes) => {
    expect(detectKind(bytes).kind).toBe(kind);
  });

  it.each([
    ['ELF program', latin1(`\x7fELF\x02\x01\x01${'\0'.repeat(9)}\x03\0`)],
    ['core dump', latin1(`\x7fELF\x02\x01\x01${'\0'.repeat(9)}\x04\0`)],
    ['PDF document', latin1('%PDF-1.7')],
    ['SQLite database', latin1('SQLite format 3\0')],
    ['systemd journal: export it with journalctl --file', latin1('LPKSHHRH\0\0')],
    ['zstd: unpack it first', latin1('\x28\xb5\x2f\xfd')],
  ])('binary: %s', (what, bytes) => {
    expect(detectKind(bytes)).toEqual({ kind: 'binary', what });
  });
});

describe('whyNotText', () => {
  it.each([
    ['plain', Buffer.from('hello\n'.repeat(5000))],
    ['with colours', Buffer.from('\x1b[31mred\x1b[0m\n'.repeat(50))],
    ['UTF-16 with mark', Buffer.from('\ufeffNAME READY', 'utf16le')],
    ['UTF-16 without mark', Buffer.from('NAME READY STATUS\n', 'utf16le')],
    ['UTF-16 big-endian', Buffer.from('NAME READY STATUS\n', 'utf16le').swap16()],
    ['GBK', Buffer.from([0xc8, 0xdd, 0xc6, 0xf7, 0xc6, 0xf4, 0xb6, 0xaf, 0xca, 0xa7, 0xb0, 0xdc])],
    ['a log behind a hole left by rotation', Buffer.concat([Buffer.alloc(100_000), Buffer.from('after the hole\n'.repeat(1000))])],
  ])('takes %s for text', (_, bytes) => {
    expect(whyNotText(bytes)).toBeUndefined();
  });

  it.each([
    ['nothing but NUL bytes', Buffer.alloc(70_000)],
    ['not text', Buffer.from('a\0b\0\0c\0\x01\x02'.repeat(100))],
    ['not text', Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * index * 31 + index * 7) % 256))],
  ])('%s', (why, bytes) => {
    expect(whyNotText(bytes)).toBe(why);
  });
});
