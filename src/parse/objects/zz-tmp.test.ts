import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMap, isNode, isSeq, LineCounter, parse, parseDocument, stringify } from 'yaml';
import { parsePlainYaml } from './plain-yaml.ts';
import { rowsOf } from './yaml-rows.ts';

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    'a: b',
    'x #y',
    '- z',
    'null',
    'true',
    '007',
    '1e3',
    '0x1f',
    '.5',
    '12.',
    '~',
    'line one\nline two\n',
    'a\n\n  b',
    ' lead',
    'trail ',
    "it's",
    '"q"',
    '{}',
    '|',
    '2025-01-01T00:00:00Z',
    '...',
    '---',
    '@a',
    '%b',
    'é\u0007',
  ),
);
const key = fc.oneof(
  { arbitrary: fc.constantFrom('name', 'f', 'a.b/c-d', '__proto__'), weight: 8 },
  { arbitrary: fc.constantFrom('x y', '0', 'null', 'k:z'), weight: 1 },
  { arbitrary: fc.string({ minLength: 1, maxLength: 6 }), weight: 1 },
);
const tree = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    tie('map'),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
  map: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs as [string, unknown][])),
}));

const POD = `apiVersion: v1
kind: Pod
metadata:
  annotations:
    note: |
      first: line
        second
    "quoted key": 'it''s'
  name: a
spec:
  containers:
  - args:
    - --x=1
    - "b\\tc"
    env: []
    image: r/x:1
    name: c
    resources: {}
  - name: d
status:
  phase: Running`;

describe('parsePlainYaml', () => {
  it('reads what kubectl writes', () => {
    expect(parsePlainYaml(POD.split('\n'))?.value).toEqual(parse(POD));
  });

  it('agrees with the library or declines', () => {
    let read = 0;
    void fc.assert(
      fc.property(tree.map, fc.boolean(), (value, indentSeq) => {
        const source = stringify(value, { indentSeq, lineWidth: 0 });
        const plain = parsePlainYaml(source.split('\n'));
        if (!plain) return;
        read++;
        expect(plain.value).toEqual(parse(source));
      }),
      { numRuns: 20000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  it('agrees with the library or declines on broken text too', () => {
    const edit = fc.record({
      at: fc.nat(POD.length - 1),
      remove: fc.nat(6),
      insert: fc.constantFrom('', '"', "'", '{', ': ', '\n', '- ', ' ', '  ', '#', '|', '&a', '*', '\t'),
    });
    void fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        let source = POD;
        for (const { at, remove, insert } of edits) source = source.slice(0, at) + insert + source.slice(at + remove);
        const plain = parsePlainYaml(source.split('\n'));
        if (!plain) return;
        const document = parseDocument(source, { uniqueKeys: false });
        if (document.errors.length === 0) expect(plain.value).toEqual(document.toJS());
      }),
      { numRuns: 20000 },
    );
  });

  it.each([
    'a: b: c',
    'a: &x 1',
    'a: *x',
    'a: [1]',
    'a: {b: 1}',
    'a: >\n  x',
    'a: "b\n  c"',
    'a: b\n  c',
    '? a',
    'a:\n b: 1\n  c: 2',
    '- - a',
    'a: 1 # note',
    '--- a',
    '',
  ])('declines %j', (source) => {
    expect(parsePlainYaml(source.split('\n'))).toBeUndefined();
  });

  it('declines what nests too deep', () => {
    expect(parsePlainYaml(Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}a:`))).toBeUndefined();
  });
});

function pointersOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => [`${at}/${index}`, ...pointersOf(item, `${at}/${index}`)]);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => [`${at}/${name}`, ...pointersOf(item, `${at}/${name}`)]);
}

/** Where the library says something starts: at its key, or at its item. */
function firstRow(document: ReturnType<typeof parseDocument>, counter: LineCounter, pointer: string): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const part of pointer.split('/').slice(1)) {
    if (isMap(node)) {
      const pair = node.items.find((item) => String(item.key) === part);
      offset = isNode(pair?.key) ? pair.key.range?.[0] : undefined;
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = isNode(node) ? node.range?.[0] : undefined;
    }
  }
  return offset === undefined ? undefined : counter.linePos(offset).line - 1;
}

describe('rowsOf', () => {
  it('finds every value where the library finds it', () => {
    const counter = new LineCounter();
    const document = parseDocument(POD, { lineCounter: counter });
    const pointers = pointersOf(document.toJS());
    expect(pointers.length).toBeGreaterThan(15);
    for (const pointer of pointers)
      expect([pointer, rowsOf(POD.split('\n'), pointer)?.[0]]).toEqual([pointer, firstRow(document, counter, pointer)]);
  });

  it('knows where things end', () => {
    const rows = POD.split('\n');
    expect(rowsOf(rows, '/metadata/annotations/note')).toEqual([4, 6]);
    expect(rowsOf(rows, '/spec/containers/0')).toEqual([11, 17]);
    expect(rowsOf(rows, '/spec/containers/1/name')).toEqual([18, 18]);
    expect(rowsOf(rows, '/spec/nothing')).toBeUndefined();
    expect(rowsOf([], '/a')).toBeUndefined();
  });
});
