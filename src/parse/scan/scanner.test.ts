import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LineList, LineSpec } from '../../model/evidence.ts';
import { BadLiteralError, createScanner, LINE_LIMIT, packedIndexOf, type Scanner, scannerOf } from './scanner.ts';

function spec(id: string, literals: readonly string[], pattern?: RegExp): LineSpec {
  return { id, literals, channels: ['kubelet-log'], ...(pattern ? { pattern } : {}) };
}

function found(scanner: Scanner, bytes: Uint8Array, length = bytes.length): string[] {
  const places: string[] = [];
  scanner.scan(bytes, length, (index, offset) => places.push(`${index}@${offset}`));
  return places.sort();
}

function lowerAscii(text: string): Buffer {
  return Buffer.from(text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
}

function expected(specs: readonly LineSpec[], text: string): string[] {
  const haystack = lowerAscii(text);
  const places = new Set<string>();
  specs.forEach((one, index) => {
    for (const literal of one.literals) {
      const needle = lowerAscii(literal);
      for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1)) places.add(`${index}@${at}`);
    }
  });
  return [...places].sort();
}

describe('scan', () => {
  const alphabets = ['ab', 'aAbB', 'abc XYZ.:', 'fail edto', 'aéß漢字 B', '@`[{~^Zz'];
  const texts = fc.constantFrom(...alphabets).chain((alphabet) => {
    const letter = fc.constantFrom(...alphabet);
    const literal = fc.string({ unit: letter, minLength: 8, maxLength: 24 }).filter((text) => Buffer.byteLength(text) >= 8);
    const specs = fc.array(fc.array(literal, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });
    return specs.chain((literals) => {
      const swapped = literals.flat().map((text) => text.toUpperCase());
      const piece = fc.oneof(fc.string({ unit: letter, maxLength: 12 }), fc.constantFrom(...literals.flat(), ...swapped));
      return fc.record({ literals: fc.constant(literals), pieces: fc.array(piece, { maxLength: 12 }) });
    });
  });

  it('finds what a plain search without regard to ASCII case finds, and nothing else', () => {
    fc.assert(
      fc.property(texts, ({ literals, pieces }) => {
        const specs = literals.map((group, index) => spec(`any/${index}`, group));
        const text = pieces.join('');
        expect([...new Set(found(createScanner(specs), Buffer.from(text)))]).toEqual(expected(specs, text));
      }),
      { numRuns: 4000 },
    );
  });

  it('finds the same with an index made for a sample', () => {
    fc.assert(
      fc.property(texts, fc.uint8Array({ minLength: 4000, maxLength: 5000 }), ({ literals, pieces }, sample) => {
        const specs = literals.map((group, index) => spec(`any/${index}`, group));
        const bytes = Buffer.from(pieces.join(''));
        expect(found(createScanner(specs, sample), bytes)).toEqual(found(createScanner(specs), bytes));
      }),
      { numRuns: 50 },
    );
  });

  it('finds the same with an index that was packed, wherever its bytes lie', () => {
    fc.assert(
      fc.property(texts, fc.nat({ max: 5 }), ({ literals, pieces }, askew) => {
        const specs = literals.map((group, index) => spec(`any/${index}`, group));
        const bytes = Buffer.from(pieces.join(''));
        const packed = packedIndexOf(specs);
        const moved = new Uint8Array(packed.length + askew);
        moved.set(packed, askew);
        const list: LineList = Object.assign([...specs], { packedIndex: () => moved.subarray(askew) });
        expect(found(scannerOf(list), bytes)).toEqual(found(createScanner(specs), bytes));
      }),
      { numRuns: 200 },
    );
  });

  it('makes an index of its own on a machine of the other byte order', () => {
    const specs = [spec('a/b', ['connection refused'])];
    const turned = Buffer.from(packedIndexOf(specs)).swap32();
    const list: LineList = Object.assign([...specs], { packedIndex: () => turned });
    expect(found(scannerOf(list), Buffer.from('dial: connection refused'))).toEqual(['0@6']);
  });

  it('never looks beyond the given length', () => {
    const scanner = createScanner([spec('a/b', ['connection refused'])]);
    const bytes = Buffer.from('dial: connection refused');
    expect(found(scanner, bytes)).toEqual(['0@6']);
    expect(found(scanner, bytes, bytes.length - 1)).toEqual([]);
    expect(found(scanner, bytes, 3)).toEqual([]);
  });

  it('tells a shared literal for each spec that declares it, once', () => {
    const scanner = createScanner([spec('a/b', ['no space left', 'NO SPACE LEFT']), spec('c/d', ['No space left'])]);
    expect(found(scanner, Buffer.from('write: no space left on device'))).toEqual(['0@7', '1@7']);
  });
});

describe('match', () => {
  it('gives the named groups of the pattern', () => {
    const scanner = createScanner([spec('a/b', ['exited with code'], /exited with code (?<code>\d+)(?: by (?<who>\w+))?/)]);
    const [hit] = scanner.match('container app exited with code 137');
    expect(hit?.spec.id).toBe('a/b');
    expect(hit?.fields).toEqual({ code: '137' });
    expect(scanner.match('container app exited with code unknown')).toEqual([]);
  });

  it('needs only the literal where there is no pattern, and looks at the bytes of other scripts', () => {
    const scanner = createScanner([spec('a/b', ['没有那个文件或目录'])]);
    expect(scanner.match('打开 /etc/app.conf：没有那个文件或目录')).toHaveLength(1);
    expect(scanner.match('打开 /etc/app.conf：没有那个文件')).toEqual([]);
  });

  it('is not led astray by a pattern that remembers where it stopped', () => {
    const scanner = createScanner([spec('a/b', ['too many open files'], /too many (?<what>\w+)/gy)]);
    const text = 'accept: too many open files';
    expect([1, 2, 3].map(() => scanner.match(text).length)).toEqual([1, 1, 1]);
  });

  it('gives hits in the order of the specs, each once', () => {
    const scanner = createScanner([spec('z/1', ['second thing']), spec('a/2', ['first thing', 'thing again'])]);
    const hits = scanner.match('first thing, second thing, second thing, thing again');
    expect(hits.map((hit) => hit.spec.id)).toEqual(['z/1', 'a/2']);
    expect(scanner.match('nothing of it').length).toBe(0);
  });

  it('looks at the first 64 KB of a long message only', () => {
    const scanner = createScanner([spec('a/b', ['needle in hay'])]);
    expect(scanner.match(`${'x'.repeat(LINE_LIMIT - 13)}needle in hay`)).toHaveLength(1);
    expect(scanner.match(`${'x'.repeat(LINE_LIMIT)}needle in hay`)).toEqual([]);
    expect(scanner.match(`${'漢'.repeat(LINE_LIMIT / 3)}needle in hay`)).toEqual([]);
  });
});

describe('createScanner', () => {
  it('rejects literals that cannot be looked for, by the name of their spec', () => {
    expect(() => createScanner([spec('oom/killed', ['OOM'])])).toThrow(BadLiteralError);
    expect(() => createScanner([spec('oom/killed', ['OOM'])])).toThrow(/"oom\/killed".*"OOM".*8 bytes/);
    expect(() => createScanner([spec('oom/killed', [])])).toThrow(/no literal/);
    expect(() => createScanner([spec('oom/killed', ['first line\nsecond'])])).toThrow(/line break/);
    expect(() => createScanner([spec('two/chars', ['漢字漢'])])).not.toThrow();
  });

  it('works with no specs at all', () => {
    expect(createScanner([]).match('anything')).toEqual([]);
  });
});
