import { describe, expect, it } from 'vitest';
import type { Scalar } from '../../model/change.ts';
import { applySplices } from './splices.ts';
import { removeFromTomlArray, setToml } from './toml-set.ts';

function set(text: string, table: readonly string[], key: string, value: Scalar): string {
  const edited = setToml(text, table, key, value);
  if (!edited.ok) return `refused: ${edited.why}`;
  expect(applySplices(text, edited.splices)).toBe(edited.after);
  return edited.after;
}

function remove(text: string, member: string): string {
  const edited = removeFromTomlArray(text, 'disabled_plugins', member);
  if (!edited.ok) return `refused: ${edited.why}`;
  expect(applySplices(text, edited.splices)).toBe(edited.after);
  return edited.after;
}

describe('a value that is there', () => {
  it.each([
    ['a = false # why\r\n', [], 'a', true, 'a = true # why\r\n'],
    ['\uFEFF[t]\r\n\ta\t=\tfalse\r\n', ['t'], 'a', true, '\uFEFF[t]\r\n\ta\t=\ttrue\r\n'],
    ["[p.'x.y']\n k = 'old' # é\n", ['p', 'x.y'], 'k', 'new', "[p.'x.y']\n k = 'new' # é\n"],
    ["k = 'old'\n", [], 'k', "it's", 'k = "it\'s"\n'],
    ['[a]\nb.c = 1\n', ['a', 'b'], 'c', 2, '[a]\nb.c = 2\n'],
    ['options = {SystemdCgroup = false}\n', ['options'], 'SystemdCgroup', true, 'options = {SystemdCgroup = true}\n'],
    ['a = {b = {c = 1, d = 2}}', ['a', 'b'], 'c', 5, 'a = {b = {c = 5, d = 2}}'],
    ['k = """\nlong\n"""\n[t]\n', [], 'k', 'short', 'k = "short"\n[t]\n'],
  ] as const)('%j', (text, table, key, value, after) => {
    expect(set(text, table, key, value)).toBe(after);
  });

  it('needs no splice where it says so already', () => {
    expect(setToml('a = 0x10\n', [], 'a', 16)).toEqual({ ok: true, after: 'a = 0x10\n', splices: [] });
  });

  it('gives the splice in bytes', () => {
    expect(setToml('a = "日本"\nk = false\n', [], 'k', true)).toMatchObject({ splices: [{ from: 17, to: 22, text: 'true' }] });
  });
});

describe('a key that is not there', () => {
  it.each([
    ['after its neighbours', '[t]\n  a = 1 # x\n\n  [t.s]\n    b = 2\n', ['t'], '[t]\n  a = 1 # x\n  k = true\n\n  [t.s]\n    b = 2\n'],
    ['with their line ending', '[t]\r\n\ta = 1\r\n\r\n[u]\r\n', ['t'], '[t]\r\n\ta = 1\r\n\tk = true\r\n\r\n[u]\r\n'],
    ['where the last line is open', '[t]\na = 1', ['t'], '[t]\na = 1\nk = true'],
    ['in an empty table', '[s]\n   a = 1\n[t] # none yet\n[u]\n', ['t'], '[s]\n   a = 1\n[t] # none yet\n   k = true\n[u]\n'],
    ['in a table below which tables stand first', '[t.s]\na = 1\n[t]\nb = 2\n', ['t'], '[t.s]\na = 1\n[t]\nb = 2\nk = true\n'],
    ['at the root', '# top\na = 1\n\n[t]\nb = 1\n', [], '# top\na = 1\nk = true\n\n[t]\nb = 1\n'],
    ['at a root without keys', '[t]\nb = 1\n', [], 'k = true\n[t]\nb = 1\n'],
    ['in an inline table', '[t]\no = {a=1}\n', ['t', 'o'], '[t]\no = {a=1, k = true}\n'],
    ['in an empty inline table', 'o = {}\n', ['o'], 'o = { k = true }\n'],
    ['below an inline table', 'o = { }\n', ['o', 'x y'], 'o = { "x y".k = true }\n'],
    ['beside dotted keys', "[t]\n 'o.p'.a = 1\nz = 1\n", ['t', 'o.p'], "[t]\n 'o.p'.a = 1\n 'o.p'.k = true\nz = 1\n"],
    ['below dotted keys', 'o.a = 1\nz = 1\n', ['o', 'deep'], 'o.a = 1\no.deep.k = true\nz = 1\n'],
    ['in an empty file', '', ['t', 'a.b'], '[t."a.b"]\n  k = true\n'],
    ['in a file of comments', '# hi\n', ['t'], '# hi\n\n[t]\n  k = true\n'],
  ] as const)('%s', (_name, text, table, after) => {
    expect(set(text, table, 'k', true)).toBe(after);
  });

  it('makes the table after the block of the nearest one, in its quotes and indentation', () => {
    const text =
      "version = 3\n\n[plugins]\n\n  [plugins.'a.b']\n    x = 1\n\n    [plugins.'a.b'.s]\n      y = 1\n\n  [plugins.'c.d']\n    z = 1\n";
    const after =
      "version = 3\n\n[plugins]\n\n  [plugins.'a.b']\n    x = 1\n\n    [plugins.'a.b'.s]\n      y = 1\n\n    [plugins.'a.b'.t]\n      k = true\n\n  [plugins.'c.d']\n    z = 1\n";
    expect(set(text, ['plugins', 'a.b', 't'], 'k', true)).toBe(after);
  });

  it('makes a table that only its sub-tables name', () => {
    expect(set('[a.b.c]\nx = 1\n', ['a', 'b'], 'k', true)).toBe('[a.b.c]\nx = 1\n\n[a.b]\nk = true\n');
  });
});

describe('refuses', () => {
  it.each([
    ['what does not parse', 'a = = 1\n', [], 'The file is not valid TOML (line 1).'],
    ['a key given twice', 'a = 1\na = 2\n', [], 'The file is not valid TOML (line 2).'],
    ['a table as the key', '[k]\na = 1\n', [], 'k is a table.'],
    ['a table as the key, dotted', 'k.a = 1\n', [], 'k is a table.'],
    ['a value as the table', 't = 1\n', ['t'], 't is not a table.'],
    ['a list', 'k = [1]\n', [], 'The setting holds a list or a table there, not a single value.'],
    ['a list of tables', '[[t]]\na = 1\n', ['t'], 't is a list of tables.'],
    ['bytes that are not UTF-8', 'a = "\uFFFD"\nk = 1\n', [], 'The file is not valid UTF-8.'],
  ] as const)('%s', (_name, text, table, why) => {
    expect(setToml(text, table, 'k', true)).toEqual({ ok: false, why });
  });
});

describe('removeFromTomlArray', () => {
  it.each([
    ['disabled_plugins = ["cri"]\n', 'disabled_plugins = []\n'],
    ['disabled_plugins = [ "cri", ]\n', 'disabled_plugins = [ ]\n'],
    ['disabled_plugins = [ "a", "cri" ]\n', 'disabled_plugins = [ "a" ]\n'],
    ['disabled_plugins = [ # "cri"\n  "cri" # why\n]\n', 'disabled_plugins = [ # "cri"\n  # why\n]\n'],
    ["\"disabled_plugins\" = ['''cri''']\n", '"disabled_plugins" = []\n'],
    ['disabled_plugins = ["a", "cri"] # x\n', 'disabled_plugins = ["a"] # x\n'],
    ["disabled_plugins = ['cri', 'a']\r\n", "disabled_plugins = ['a']\r\n"],
    ['disabled_plugins = ["a","cri","b",]\n', 'disabled_plugins = ["a","b",]\n'],
    ['disabled_plugins = ["cri", "cri", "b"]\n', 'disabled_plugins = ["b"]\n'],
    ['disabled_plugins = ["b", "cri", "cri"]\n', 'disabled_plugins = ["b"]\n'],
    ['disabled_plugins = [\n  "a",\n  "cri",\n  "b"\n]\n', 'disabled_plugins = [\n  "a",\n  "b"\n]\n'],
    ['disabled_plugins = [\n  "a",\n  "cri"\n]\n', 'disabled_plugins = [\n  "a",\n]\n'],
    ['disabled_plugins = [\n  "a", # kept\n  "cri", # of docker\n]\n', 'disabled_plugins = [\n  "a", # kept\n  # of docker\n]\n'],
    ['disabled_plugins = ["a"]\n', 'disabled_plugins = ["a"]\n'],
    ['version = 2\n', 'version = 2\n'],
    ['disabled_plugins = "cri"\n', 'refused: disabled_plugins is not a list.'],
  ])('%j', (text, after) => {
    expect(remove(text, 'cri')).toBe(after);
  });
});
