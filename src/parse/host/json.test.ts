import { describe, expect, it } from 'vitest';
import { child, jsonOpening, readJson, textAt } from './json.ts';

function block(text: string, from = 0, body = false) {
  const read = readJson(text.split('\n'), from, body);
  if (!read) throw new Error('nothing read');
  return read;
}

describe('readJson', () => {
  it('reads values with their lines', () => {
    const { root, end, complete, problem } = block('{\n  "a": {\n    "b": [1, true, null]\n  },\n  "c": "x\\ty"\n}\nafter');
    expect(child(root, 'a', 'b')?.items?.map(({ value }) => value)).toEqual([1, true, null]);
    expect(child(root, 'a', 'b')?.line).toBe(2);
    expect(textAt(root, 'c')).toBe('x\ty');
    expect([end, complete, problem]).toEqual([6, true, undefined]);
  });

  it.each([
    ['a comma too many', '{"a": 1,}', 'a comma before the closing bracket'],
    ['a comma too few', '{"a": 1 "b": 2}', 'a comma is missing'],
    ['a comma too few in a list', '["a" "b"]', 'a comma is missing'],
    ['a comment', '{\n// no\n"a": 1}', 'a comment, which JSON does not have'],
    ['a bare word', '{"a": yes}', 'unexpected yes'],
    ['an open string', '{"a": "x\n}', 'a string without its closing quote'],
    ['no colon', '{"a" 1}', 'no colon after "a"'],
    ['single quotes', "{'a': 1}", "unexpected '"],
  ])('notes %s and goes on', (_name, text, problem) => {
    expect(block(text).problem?.text).toBe(problem);
  });

  it('keeps what stands before the cut', () => {
    const { root, complete, end } = block('{\n  "a": {\n    "b": 1,\n    "c": [');
    expect(textAt(root, 'a', 'b')).toBe('1');
    expect([complete, end]).toEqual([false, 4]);
  });

  it('ends at a prompt', () => {
    const { root, complete } = block('{\n  "a": 1,\n[root@n1 ~]# ls\n  "b": 2\n}');
    expect([...(root.members?.keys() ?? [])]).toEqual(['a']);
    expect(complete).toBe(false);
  });

  it('passes over omissions', () => {
    const { root, elided, complete } = block('{\n  "a": 1,\n  ...\n  "b": 2\n}');
    expect([textAt(root, 'b'), elided, complete]).toEqual(['2', true, true]);
  });

  it('reads members whose object was cut away', () => {
    const { root, end } = block('  "a": true,\n  "b": [\n  "x"\n ],\n}\n', 0, true);
    expect([...(root.members?.keys() ?? [])]).toEqual(['a', 'b']);
    expect(end).toBe(4);
  });

  it('gives up on what is no JSON, and on endless nesting', () => {
    expect(block(`{\n${'words and more words\n'.repeat(500)}`).end).toBeLessThan(30);
    expect(() => block('['.repeat(100_000))).not.toThrow();
    expect(readJson([], 0)).toBeUndefined();
  });

  it('survives names of object internals', () => {
    expect(textAt(block('{"__proto__": 1, "constructor": 2}').root, 'constructor')).toBe('2');
  });
});

describe('jsonOpening', () => {
  it('is empty for other text, and short', () => {
    expect(jsonOpening(['words'], 0)).toBe('');
    expect(jsonOpening(['{', ...Array.from({ length: 5000 }, () => '"a": "bcdefgh",')], 0).length).toBeLessThan(5000);
    expect(jsonOpening(['{"a":1}', '{"b":2}'], 0)).toBe('{"a":1}');
  });
});
