import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TestSink } from './test-sink.ts';
import { yamlReader } from './yaml-reader.ts';

function read(text: string) {
  const lines = text.split('\n');
  return { end: yamlReader.read(lines, 0, { doc: 'd' }, new TestSink()), lines };
}

function pod(name: string): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  namespace: quarry
spec:
  containers:
  - args: ["--flag", 'x']
    image: registry.example/crane:3
    name: crane
status:
  containerStatuses:
  - name: crane
    lastState:
      terminated:
        exitCode: 2
        message: |
          panic: no rope
        reason: Error
    restartCount: 7
    state:
      waiting:
        message: back-off 5m0s restarting failed container=crane
        reason: CrashLoopBackOff
  phase: Running`;
}

/** The best of a few tries, as many as needed: a busy machine is not a slow reader. */
function quickest(work: () => void, enough = 4000): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 4 && best >= enough; attempt++) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

describe('hostile text', () => {
  it('refuses bombs of aliases', () => {
    const levels = Array.from(
      { length: 30 },
      (_, index) => `  l${index + 1}: &l${index + 1} [*l${index}, *l${index}, *l${index}, *l${index}]`,
    );
    const text = `apiVersion: v1\nkind: Pod\nmetadata:\n  l0: &l0 [x, x, x, x]\n${levels.join('\n')}\n  name: boom`;
    expect(read(text).end).toBe(0);
  });

  it.each([
    ['brackets', '['.repeat(50_000)],
    ['dashes', '- '.repeat(20_000)],
    ['questions', '? '.repeat(20_000)],
    ['keys', 'a: '.repeat(8000)],
    ['quotes', `"${'\\"'.repeat(50_000)}`],
    ['anchors', '&a '.repeat(8000)],
    ['many lines', Array.from({ length: 4000 }, (_, index) => `  k${index}: [1, {a: b}]`).join('\n')],
    ['deep lines', Array.from({ length: 3000 }, (_, index) => `${' '.repeat(index + 1)}a:`).join('\n')],
  ])('stands %s', (_, hostile) => {
    const text = `apiVersion: v1\nkind: Pod\nspec:\n  x: ${hostile}`;
    expect(quickest(() => expect(() => read(text)).not.toThrow())).toBeLessThan(4000);
  });

  it('stays linear on nested look-alikes', () => {
    const lines = Array.from(
      { length: 6000 },
      (_, index) => `${' '.repeat(Math.min(index, 150))}${['status', 'spec', 'state', 'metadata'][index % 4]}:`,
    );
    const readAll = () => {
      const sink = new TestSink();
      for (let at = 0; at < lines.length; at++) yamlReader.read(lines, at, { doc: 'd' }, sink);
    };
    expect(quickest(readAll)).toBeLessThan(5000);
  });

  it('never throws on mutated objects', () => {
    const sample = `${pod('a')}\n---\n${pod('b')}`;
    const edit = fc.record({
      at: fc.nat(sample.length - 1),
      remove: fc.nat(30),
      insert: fc.constantFrom('', '"', '{', ']', ': ', '\n', '- ', '...', '\t', '|', '&a', '*a', '#', '\u0000'),
    });
    void fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 8 }), (edits) => {
        let text = sample;
        for (const { at, remove, insert } of edits) text = text.slice(0, at) + insert + text.slice(at + remove);
        const { end, lines } = read(text);
        expect(end).toBeLessThanOrEqual(lines.length);
      }),
      { numRuns: 200 },
    );
  });
});
