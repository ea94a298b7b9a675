import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from './decode.ts';

/** Writes text in an encoding that Node only reads, by asking the decoder about every byte and pair. */
function encode(text: string, encoding: string): Uint8Array {
  const table = encodingTable(encoding);
  return Uint8Array.from([...text].flatMap((character) => table.get(character) ?? [...Buffer.from(character)]));
}

const tables = new Map<string, Map<string, number[]>>();

function encodingTable(encoding: string): Map<string, number[]> {
  const known = tables.get(encoding);
  if (known) return known;
  const table = new Map<string, number[]>();
  const decoder = new TextDecoder(encoding);
  for (let lead = 0xff; lead >= 0x80; lead -= 1) {
    for (let trail = 0xfe; trail >= 0x40; trail -= 1) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if ([...character].length === 1 && character !== '\ufffd') table.set(character, [lead, trail]);
    }
    const single = decoder.decode(Uint8Array.of(lead));
    if (single.length === 1 && single !== '\ufffd') table.set(single, [lead]);
  }
  tables.set(encoding, table);
  return table;
}

const log = (words: string): string => `2031-04-02 10:11:12 ERROR web-0: ${words}\nkubectl get pods\n`;

describe('decodeText', () => {
  it.each([
    ['utf-8', log('héllo 容器')],
    ['utf-8', 'plain ASCII only\n'],
  ])('reads %s without a word about it', (encoding, text) => {
    expect(decodeText(Buffer.from(text))).toEqual({ text, encoding, problems: [] });
  });

  it('drops byte order marks', () => {
    expect(decodeText(Buffer.from('\ufeffNAME\n')).text).toBe('NAME\n');
    expect(decodeText(Buffer.from('\ufeffNAME\n', 'utf16le'))).toMatchObject({ text: 'NAME\n', encoding: 'utf-16le' });
    expect(decodeText(Buffer.from('\ufeffNAME\n', 'utf16le').swap16())).toMatchObject({ text: 'NAME\n', encoding: 'utf-16be' });
  });

  it('knows UTF-16 without a mark, also for mostly Chinese text', () => {
    const text = log('容器无法启动 因为镜像不存在');
    expect(decodeText(Buffer.from(text, 'utf16le'))).toMatchObject({ text, encoding: 'utf-16le' });
    expect(decodeText(Buffer.from(text, 'utf16le').swap16())).toMatchObject({ text, encoding: 'utf-16be' });
  });

  it.each([
    ['gb18030', '容器启动失败：无法拉取镜像，请检查网络连接和镜像仓库地址是否正确'],
    ['gb18030', '内存不足，节点已经被驱逐'],
    ['shift_jis', 'コンテナの起動に失敗しました。イメージを取得できません'],
    ['euc-jp', 'コンテナの起動に失敗しました。イメージを取得できません'],
    ['euc-kr', '컨테이너를 시작하지 못했습니다. 이미지를 가져올 수 없습니다'],
    ['windows-1251', 'Не удалось запустить контейнер: образ не найден в реестре'],
    ['windows-1252', 'le démarrage a échoué: dépôt introuvable, accès refusé'],
    ['windows-1252', 'Größe überschritten'],
  ])('guesses %s', (encoding, words) => {
    const text = log(words);
    expect(decodeText(encode(text, encoding))).toEqual({ text, encoding, problems: [`not UTF-8: read as ${encoding}`] });
  });

  it('replaces a stray byte in otherwise sound UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('容器启动'), Buffer.from([0xff]), Buffer.from('失败\n')]);
    expect(decodeText(bytes)).toEqual({
      text: '容器启动\ufffd失败\n',
      encoding: 'utf-8',
      problems: ['1 characters could not be decoded'],
    });
    expect(decodeText(Buffer.from([0x6f, 0x6b, 0x20, 0xff, 0x20, 0x6f, 0x6b])).text).toBe('ok \ufffd ok');
  });

  it('is not led astray by a character cut at the end or the beginning', () => {
    const whole = Buffer.from('容器');
    expect(decodeText(Buffer.concat([Buffer.from('log '), whole.subarray(0, 5)]))).toMatchObject({
      text: 'log 容\ufffd',
      encoding: 'utf-8',
    });
    expect(decodeText(whole.subarray(1))).toMatchObject({ encoding: 'utf-8' });
    expect(decodeText(Buffer.concat([Buffer.from('log '), whole.subarray(0, 2)]))).toMatchObject({
      text: 'log \ufffd',
      encoding: 'utf-8',
    });
  });

  it('gives every line end the same form and keeps the count of lines', () => {
    expect(decodeText(Buffer.from('a\r\nb\nc\r\n')).text).toBe('a\nb\nc\n');
    expect(decodeText(Buffer.from('a\rb\rc')).text).toBe('a\nb\nc');
    expect(decodeText(Buffer.from('10%\r20%\rdone\nnext\n')).text).toBe('10%\r20%\rdone\nnext\n');
  });

  it('keeps text around holes of NUL bytes', () => {
    const bytes = Buffer.concat([Buffer.from('before\n'), Buffer.alloc(1001), Buffer.from('after\n')]);
    expect(decodeText(bytes).text).toBe(`before\n${'\0'.repeat(1001)}after\n`);
  });

  it('never throws and always returns sound text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { text, encoding } = decodeText(bytes);
        expect(typeof text).toBe('string');
        expect(encoding).not.toBe('');
      }),
      { numRuns: 500 },
    );
  });

  it('returns any UTF-8 text unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (raw) => {
        const text = raw.replaceAll(/[\r\0\ufeff]/g, '');
        expect(decodeText(Buffer.from(text)).text).toBe(text);
      }),
    );
  });
});
