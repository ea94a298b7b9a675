import { describe, expect, it } from 'vitest';
import { readYamlLines } from './yaml-lines.ts';

const any = () => true;

function entries(text: string, isTopKey: (key: string) => boolean = any) {
  return readYamlLines(text.split('\n'), 0, isTopKey).entries.map(({ path, value }) => `${path.join('/')}=${value}`);
}

describe('readYamlLines', () => {
  it('keeps the keys above a value', () => {
    expect(entries('a:\n  b: 1\n  c:\n    d.e: "2" # two\nf: x')).toEqual(['a=', 'a/b=1', 'a/c=', 'a/c/d.e=2', 'f=x']);
  });

  it('reads lists at either indent, and lists of maps', () => {
    expect(entries('a:\n- x\n- y\nb:\n  - z')).toEqual(['a=', 'a=x', 'a=y', 'b=', 'b=z']);
    expect(entries('a:\n- name: n\n  value: v\n- name: m')).toEqual(['a=', 'a/name=n', 'a/value=v', 'a/name=m']);
  });

  it('passes over texts', () => {
    expect(entries('a: |\n  not: this\n  nor this\nb: 1')).toEqual(['a=', 'b=1']);
  });

  it('ends at a mark, to the left, at refused keys and at prose', () => {
    const end = (text: string, isTopKey = any) => readYamlLines(text.split('\n'), 0, isTopKey).end;
    expect(end('a: 1\n---\nb: 2')).toBe(1);
    expect(end('  a: 1\nb: 2')).toBe(1);
    expect(readYamlLines(['a: 1', 'Note: see'], 0, (key) => key === 'a').end).toBe(1);
    expect(end('a: 1\nThat is all.')).toBe(1);
    expect(end('a: 1\n- and then')).toBe(1);
    expect(end('a: 1\n    deeper: 2')).toBe(1);
  });

  it('notes omissions', () => {
    expect(readYamlLines(['a: 1', '...', 'b: 2'], 0, any)).toMatchObject({ gaps: true, end: 3 });
  });
});
