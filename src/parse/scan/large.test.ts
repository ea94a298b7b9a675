import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Document } from '../../model/document.ts';
import type { LineSpec } from '../../model/evidence.ts';
import { scanLargeText } from './large.ts';
import { FULL_REPORTS } from './repeats.ts';
import { createScanner, LINE_LIMIT } from './scanner.ts';

const specs: LineSpec[] = [
  { id: 'net/refused', literals: ['connection refused'], pattern: /dial tcp (?<address>[\d.]+:\d+)/, channels: ['kubelet-log'] },
  { id: 'disk/full', literals: ['no space left on device'], channels: ['kubelet-log'] },
];
const scanner = createScanner(specs);

function chunked(bytes: Uint8Array, sizes: readonly number[]): Document {
  const size = bytes.length;
  async function* read() {
    const reused = new Uint8Array(1 << 20);
    let from = 0;
    for (let turn = 0; from < size; turn++) {
      const length = Math.min(sizes[turn % sizes.length] ?? size, size - from, reused.length);
      reused.set(bytes.subarray(from, from + length), 0);
      from += length;
      yield reused.subarray(0, length);
    }
  }
  return { name: 'kubelet.log', size, read };
}

async function report(doc: Document) {
  const seen: string[] = [];
  const summary = await scanLargeText(doc, scanner, (hit) => {
    seen.push(`${hit.lineNumber} ${hit.hits.map((one) => one.spec.id)} ${hit.text}`);
  });
  return { seen, summary };
}

const REFUSED = 'E0314 09:26:53.5 1 dial.go:1] dial tcp 10.0.0.1:6443: connect: Connection refused';

describe('scanLargeText', () => {
  it('reports the number, text and hits of each line, whatever the chunks', async () => {
    const text = `first\n${REFUSED}\r\nwrite: NO SPACE LEFT ON DEVICE\n\n打开: no space left on device, connection refused`;
    const bytes = Buffer.from(text);
    const whole = await report({ name: 'a', size: bytes.length, bytes });
    expect(whole.seen).toEqual([
      `2 net/refused ${REFUSED}`,
      '3 disk/full write: NO SPACE LEFT ON DEVICE',
      '5 disk/full 打开: no space left on device, connection refused',
    ]);
    expect(whole.summary).toEqual({ lines: 5, bytes: bytes.length, longLines: 0 });
    for (const size of [1, 2, 7, 40, 100]) expect(await report(chunked(bytes, [size]))).toEqual(whole);
  });

  it('says the same as matching each line by itself', async () => {
    const words = fc.constantFrom(
      'connection refused',
      'no space left on device',
      'dial tcp 1.2.3.4:5',
      'x',
      ' ',
      '\n',
      '\r\n',
      '字',
      '\n\n',
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 40 }), sizes, async (parts, chunkSizes) => {
        const text = parts.join('');
        const lines = text.split('\n');
        if (lines.at(-1) === '') lines.pop();
        const expected = lines.flatMap((line, index) => {
          const plain = line.endsWith('\r') ? line.slice(0, -1) : line;
          const hits = scanner.match(plain);
          return hits.length > 0 ? [`${index + 1} ${hits.map((hit) => hit.spec.id)} ${plain}`] : [];
        });
        const { seen, summary } = await report(chunked(Buffer.from(text), chunkSizes));
        expect(seen).toEqual(expected);
        expect(summary.lines).toBe(lines.length);
      }),
      { numRuns: 500 },
    );
  });

  it('cuts lines longer than 64 KB and counts them, wherever chunks end', async () => {
    const long = `no space left on device ${'y'.repeat(LINE_LIMIT)} connection refused dial tcp 1.2.3.4:5`;
    const text = `short\n${long}\nwrite: no space left on device\n${'z'.repeat(3 * LINE_LIMIT)}\n${long}`;
    for (const size of [1 << 20, 5000, 65536, 70001]) {
      const { seen, summary } = await report(chunked(Buffer.from(text), [size]));
      expect(seen.map((line) => line.slice(0, 34))).toEqual([
        '2 disk/full no space left on devic',
        '3 disk/full write: no space left o',
        '5 disk/full no space left on devic',
      ]);
      expect(seen[0]).toHaveLength('2 disk/full '.length + LINE_LIMIT);
      expect(summary).toMatchObject({ lines: 5, longLines: 3 });
    }
  });

  it('replaces bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe, 0x20]), Buffer.from('no space left on device')]);
    expect((await report({ name: 'a', size: bytes.length, bytes })).seen).toEqual(['1 disk/full \ufffd\ufffd no space left on device']);
  });

  it('takes an empty document and one without content', async () => {
    expect((await report({ name: 'a', size: 0, bytes: new Uint8Array() })).summary).toEqual({ lines: 0, bytes: 0, longLines: 0 });
    expect((await report({ name: 'a', size: 0 })).summary.lines).toBe(0);
  });
});

describe('scanLargeText with repeats', () => {
  async function repeats(lines: readonly string[]) {
    const bytes = Buffer.from(lines.join('\n'));
    const full: number[] = [];
    const again: [spec: number, line: number, kept: number][] = [];
    await scanLargeText(
      { name: 'a', size: bytes.length, bytes },
      scanner,
      (hit) => full.push(hit.lineNumber),
      (spec, line, kept) => again.push([spec, line, kept]),
    );
    return { full, again };
  }

  it('reports a line in full 64 times and then only counts it, with what was kept of the last report', async () => {
    const lines = Array.from(
      { length: 100 },
      (_, i) => `Mar 14 09:26:${10 + (i % 50)} node-a app[${1000 + i}]: write: no space left on device`,
    );
    const { full, again } = await repeats(lines);
    expect(full).toHaveLength(FULL_REPORTS);
    expect(again).toHaveLength(100 - FULL_REPORTS);
    expect(again[0]).toEqual([1, FULL_REPORTS + 1, FULL_REPORTS]);
  });

  it('never counts another pod, exit code or field as a repeat', async () => {
    const pods = Array.from({ length: 300 }, (_, i) => `pod web-${i}: no space left on device`);
    expect((await repeats(pods)).full).toHaveLength(300);
    const codes = Array.from({ length: 300 }, (_, i) => `exit status ${i}, no space left on device`);
    expect((await repeats(codes)).full).toHaveLength(300);
    const ports = Array.from({ length: 300 }, (_, i) => `dial tcp 10.0.0.1:${20000 + i}: connection refused`);
    expect((await repeats(ports)).full).toHaveLength(300);
  });

  it('counts lines whose fields hold long numbers, once the same fields came 64 times', async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `09:26:${10 + (i % 50)} dial tcp 10.0.0.1:${20000 + (i % 2)}: connection refused`);
    const { full, again } = await repeats(lines);
    expect(full).toHaveLength(2 * FULL_REPORTS);
    expect(again).toHaveLength(200 - 2 * FULL_REPORTS);
  });
});
