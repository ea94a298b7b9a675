import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonSplitter } from './json-splitter.ts';

function split(text: string, sizes: readonly number[], limit?: number) {
  const items: unknown[] = [];
  const pointers: string[] = [];
  const objects: unknown[] = [];
  let broken = 0;
  let skipped = 0;
  const splitter = new JsonSplitter(
    {
      item: (piece, pointer) => {
        try {
          items.push(JSON.parse(piece));
        } catch {
          return false;
        }
        pointers.push(pointer);
        return true;
      },
      broken: () => broken++,
      object: (piece) => objects.push(JSON.parse(piece)),
      skipped: () => skipped++,
    },
    limit,
  );
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    splitter.push(bytes.subarray(at, at + size));
    at += size;
  }
  return { items, pointers, objects, broken, skipped, missing: splitter.finish(), foreign: splitter.foreign };
}

/** Strings full of what could mislead a splitter. */
const nasty = fc
  .array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '\n', 'items', 'a', 'é', '},{"metadata":{', '        }', ' '), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));
const tree = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    nasty,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  object: fc.dictionary(nasty, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));
const item = fc.oneof(
  tree.object,
  fc.record({
    metadata: fc.record({ name: nasty }),
    spec: tree.value,
    list: fc.array(fc.record({ metadata: tree.value }), { maxLength: 3 }),
  }),
);
const items = fc.array(item, { maxLength: 12 });
const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 });
const indent = fc.constantFrom(0, 1, 2, 4);

describe('JsonSplitter', () => {
  it('cuts lists as JSON.parse sees them, whatever the layout and the chunks', () => {
    void fc.assert(
      fc.property(items, indent, sizes, nasty, (list, spaces, chunks, name) => {
        const clean: unknown[] = JSON.parse(JSON.stringify(list));
        const text = JSON.stringify(
          { apiVersion: 'v1', metadata: { items: name }, items: clean, kind: 'List', after: { items: [1] } },
          null,
          spaces,
        );
        const result = split(text, chunks);
        expect(result.items).toEqual(clean);
        expect(result.pointers).toEqual(clean.map((_, index) => `/items/${index}`));
        expect([result.broken, result.skipped, result.missing, result.foreign]).toEqual([0, 0, undefined, 0]);
      }),
      { numRuns: 300 },
    );
  });

  it('cuts arrays at the root and concatenated objects', () => {
    void fc.assert(
      fc.property(items, indent, sizes, (list, spaces, chunks) => {
        const clean: unknown[] = JSON.parse(JSON.stringify(list));
        expect(split(JSON.stringify(clean, null, spaces), chunks).items).toEqual(clean);
        const objects = clean.map((value) => ({ value }));
        const lines = objects.map((value) => JSON.stringify(value, null, spaces)).join(spaces === 0 ? '\n' : '');
        expect(split(lines, chunks).objects).toEqual(objects);
      }),
      { numRuns: 200 },
    );
  });

  it('says where a cut document ends, keeping the whole items', () => {
    const text = JSON.stringify({
      kind: 'PodList',
      items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }, { metadata: { name: 'c' } }],
    });
    const result = split(text.slice(0, text.indexOf('"c"')), [64]);
    expect(result.items).toHaveLength(2);
    expect(result.missing).toBe('ends inside the list, after 2 items');
    expect(split('{ "kind": "Pod", "meta', [5]).missing).toBe('ends inside an object');
  });

  it('passes over items that are too large', () => {
    const list = [{ a: 1 }, { a: 'x'.repeat(5000) }, { a: 2 }];
    for (const spaces of [0, 4]) {
      const result = split(JSON.stringify({ items: list }, null, spaces), [100], 1000);
      expect(result.items).toEqual([{ a: 1 }, { a: 2 }]);
      expect(result.skipped).toBe(1);
    }
  });

  it('goes on after a broken item', () => {
    const text = '{"items":[\n    {\n        "a": 1\n    },\n    {\n        "a": oops\n    },\n    {\n        "a": 3\n    }\n]}';
    const result = split(text, [7]);
    expect(result.items).toEqual([{ a: 1 }, { a: 3 }]);
    expect(result.broken).toBe(1);
  });

  it('passes over text between objects', () => {
    const result = split('\ufeff$ kubectl get pods -o json\n{"a":1}\n==== END ====\n{"a":2}\n$ ', [3]);
    expect(result.objects).toEqual([{ a: 1 }, { a: 2 }]);
    expect(result.foreign).toBeGreaterThan(20);
  });

  it('never throws or hangs on any bytes', () => {
    void fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', '"items":', '\n', ' ', 'x', '\u0000'), { maxLength: 60 }),
        sizes,
        (parts, chunks) => {
          const quiet = new JsonSplitter({ item: () => false, broken: () => {}, object: () => {}, skipped: () => {} });
          const bytes = Buffer.from(parts.join(''));
          for (let at = 0, turn = 0; at < bytes.length; turn++) {
            const size = chunks[turn % chunks.length] ?? 1;
            quiet.push(bytes.subarray(at, at + size));
            at += size;
          }
          expect(() => quiet.finish()).not.toThrow();
        },
      ),
    );
  });
});
