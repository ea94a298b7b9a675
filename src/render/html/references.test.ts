import { describe, expect, it } from 'vitest';
import { createReferences } from './references.ts';

const ORIGIN = { id: 'claim-1', label: '1', title: 'says' };

describe('createReferences', () => {
  it('leads to the first shown line of a range and marks all of it', () => {
    const references = createReferences([{ doc: 'a.log', first: 10, lines: ['ten', 'eleven', 'twelve'] }]);
    expect(references.cite({ doc: 'a.log', at: { lines: [8, 11] }, quote: 'eleven' }, ORIGIN)).toBe('#doc-a.log-10');
    const [document] = references.documents();
    expect([...(document?.cited.keys() ?? [])]).toEqual([10, 11]);
    expect(document?.cited.get(10)?.origins.get('claim-1')).toBe(ORIGIN);
  });

  it('keeps a quote where no excerpt shows the place, once', () => {
    const references = createReferences([]);
    const citation = { doc: 'pods.json', at: { pointer: '/items/0' }, quote: '"a": 1' };
    expect(references.cite(citation, ORIGIN)).toBe('#doc-pods.json-q1');
    expect(references.cite(citation, { ...ORIGIN, id: 'claim-2' })).toBe('#doc-pods.json-q1');
    expect([...(references.documents()[0]?.quotes.values() ?? [])].map((quote) => quote.origins.size)).toEqual([2]);
  });

  it('uses the lines of a pointer when they are shown', () => {
    const references = createReferences([{ doc: 'pod.yaml', first: 1, lines: ['a: 1'] }]);
    expect(references.cite({ doc: 'pod.yaml', at: { pointer: '/a', lines: [1, 1] }, quote: 'a: 1' }, ORIGIN)).toBe('#doc-pod.yaml-1');
  });

  it('gives documents whose names look alike anchors of their own', () => {
    const references = createReferences([
      { doc: 'a/b', first: 1, lines: ['x'] },
      { doc: 'a b', first: 1, lines: ['y'] },
    ]);
    const first = references.cite({ doc: 'a/b', at: { lines: [1, 1] }, quote: 'x' }, ORIGIN);
    const second = references.cite({ doc: 'a b', at: { lines: [1, 1] }, quote: 'y' }, ORIGIN);
    expect(first).not.toBe(second);
  });

  it('does not walk a range that is far larger than the excerpt', () => {
    const references = createReferences([{ doc: 'a.log', first: 5, lines: ['five'] }]);
    expect(references.cite({ doc: 'a.log', at: { lines: [1, 9_000_000_000_000] }, quote: 'five' }, ORIGIN)).toBe('#doc-a.log-5');
    expect(references.locate('a.log', 5)).toBe('#doc-a.log-5');
    expect(references.locate('a.log', 6)).toBeUndefined();
  });
});
