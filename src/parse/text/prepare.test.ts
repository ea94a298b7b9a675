import { describe, expect, it } from 'vitest';
import { prepareText } from './prepare.ts';

describe('prepareText', () => {
  it('decodes, cleans, redacts and splits, keeping line numbers', () => {
    const bytes = Buffer.from('\ufeff\x1b[31mERROR\x1b[0m\r\n 10%\r100%\r\npassword: sword\x1b[0mfish\r\nlast');
    expect(prepareText(bytes, 'app.log')).toEqual({
      lines: ['ERROR', '100%', 'password: ‹redacted:password›', 'last'],
      redactions: 1,
      encoding: 'utf-8',
      problems: [],
    });
  });

  it('counts lines as editors do', () => {
    expect(prepareText(Buffer.from('a\nb\n'), 'x').lines).toEqual(['a', 'b']);
    expect(prepareText(Buffer.from('a\n\n'), 'x').lines).toEqual(['a', '']);
    expect(prepareText(Buffer.alloc(0), 'x').lines).toEqual([]);
  });

  it('hides a file that is a mounted secret, but not one that only has such a name', () => {
    expect(prepareText(Buffer.from('swordfish\n'), 'bundle.tgz/etc/db/password')).toMatchObject({
      lines: ['‹redacted:file›'],
      redactions: 1,
    });
    expect(prepareText(Buffer.from('swordfish\n'), 'bundle.tgz/notes').lines).toEqual(['swordfish']);
    expect(prepareText(Buffer.from('two words\n'), 'logs/token').lines).toEqual(['two words']);
  });

  it('tells about other encodings', () => {
    expect(prepareText(Buffer.from('\ufeffNAME\r\nweb-0\r\n', 'utf16le'), 'x')).toEqual({
      lines: ['NAME', 'web-0'],
      redactions: 0,
      encoding: 'utf-16le',
      problems: ['not UTF-8: read as utf-16le'],
    });
  });
});
