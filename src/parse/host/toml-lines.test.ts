import { describe, expect, it } from 'vitest';
import { readTomlLines, tomlHeader, tomlKeyValue, tomlPath, tomlProblem, tomlText, tomlValue } from './toml-lines.ts';

const any = () => true;

describe('toml keys', () => {
  it('splits a path at the dots outside of quotes, whatever the quotes are', () => {
    expect(tomlPath(`plugins."io.containerd.grpc.v1.cri".containerd`)).toEqual(['plugins', 'io.containerd.grpc.v1.cri', 'containerd']);
    expect(tomlPath(`plugins.'io.containerd.cri.v1.runtime'`)).toEqual(['plugins', 'io.containerd.cri.v1.runtime']);
    expect(tomlPath('plugins.“a.b”.c')).toEqual(['plugins', 'a.b', 'c']);
    expect(tomlPath('a . b')).toEqual(['a', 'b']);
  });

  it('refuses what is no path', () => {
    for (const text of ['', 'a..b', 'a b', '"open', 'a.', 'Take this']) expect(tomlPath(text)).toBeUndefined();
  });

  it('knows table lines, also cut ones, and refuses text behind them', () => {
    expect(tomlHeader('[grpc]')).toEqual({ path: 'grpc', cut: false });
    expect(tomlHeader('[[host]] # one of many')).toEqual({ path: 'host', cut: false });
    expect(tomlHeader('[plugins.cri.containerd')).toEqual({ path: 'plugins.cri.containerd', cut: true });
    expect(tomlHeader('[note] see below')).toBeUndefined();
  });

  it('takes assignments of TOML values only', () => {
    expect(tomlKeyValue('SystemdCgroup = false')).toEqual({ key: 'SystemdCgroup', value: 'false' });
    expect(tomlKeyValue('runc.options.SystemdCgroup=true')?.key).toBe('runc.options.SystemdCgroup');
    for (const text of ['a = b', 'KEY=value', '= 1', 'set x to = 1']) expect(tomlKeyValue(text)).toBeUndefined();
  });
});

describe('toml values', () => {
  it('reads scalars and arrays over several lines', () => {
    expect(tomlValue('true # yes')).toBe(true);
    expect(tomlValue('["a",\n"b", # c\n]')).toEqual(['a', 'b']);
    expect(tomlValue('{ a = 1 }')).toBeUndefined();
    expect(tomlText('["a", "b"]')).toBe('a, b');
    expect(tomlText('"broken')).toBe('broken');
  });
});

describe('readTomlLines', () => {
  it('keeps the table and the lines of every key', () => {
    const block = readTomlLines(['version = 2', '', '[a]', '  b = [', '    "x",', '  ]', '  c = 1', 'End of it.'], 0, any);
    expect(block.entries).toEqual([
      { table: '', key: 'version', raw: '2', first: 0, last: 0 },
      { table: 'a', key: 'b', raw: '[\n"x",\n]', first: 3, last: 5 },
      { table: 'a', key: 'c', raw: '1', first: 6, last: 6 },
    ]);
    expect(block.end).toBe(7);
    expect(block.gaps).toBe(false);
  });

  it('does not know the table behind an omission', () => {
    const block = readTomlLines(['[a]', 'x = 1', '...', 'y = 2'], 0, any);
    expect(block.entries.map(({ table }) => table)).toEqual(['a', undefined]);
    expect(block.gaps).toBe(true);
  });

  it('stops at a table of another program, a prompt and a fence', () => {
    expect(readTomlLines(['[a]', '[crio]'], 0, (root) => root === 'a').end).toBe(1);
    expect(readTomlLines(['[a]', 'x = 1', '[root@n1 ~]# ls'], 0, any).end).toBe(2);
    expect(readTomlLines(['[a]', '```'], 0, any).end).toBe(1);
  });

  it('goes on behind one setting that is written wrong, and says where', () => {
    const lines = ['[a]', 'x = ture', 'y = 1'];
    expect(readTomlLines(lines, 0, any).end).toBe(3);
    expect(tomlProblem(lines, 0, 3)?.line).toBe(1);
  });

  it('sees that the last table line is cut', () => {
    expect(readTomlLines(['[a]', 'x = 1', '[a.b'], 0, any).gaps).toBe(true);
  });
});
