import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { catalogue } from '../../src/causes/catalogue.ts';
import { inFolder } from '../../src/collect/testing-archives.ts';
import { stories } from '../../src/demo/stories.ts';
import { inBash, podcause } from './built-cli.ts';

describe.concurrent('demo', () => {
  it('tells one story, and where the others are', async () => {
    const { code, stdout, stderr } = await podcause(['demo']);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\$ podcause .*config\.toml/);
    for (const { name } of stories.slice(1)) expect(stdout).toContain(name);
  });

  it('lists the stories', async () => {
    const { code, stdout } = await podcause(['demo', '--list']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(4);
    for (const { name, says } of stories) expect(stdout).toMatch(new RegExp(`^${name} +${says}$`, 'm'));
  });

  it.each(stories.slice(2).map(({ name }) => name))('tells %s', async (name) => {
    const { code, stdout } = await podcause(['demo', name]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/CERTAIN|PROBABLE|POSSIBLE/);
    expect(stdout).toContain('because');
  });

  it('tells all of them, in each format that can hold several', async () => {
    const [terminal, yaml, json] = await Promise.all([
      podcause(['demo', '--all']),
      podcause(['demo', '--all', '-o', 'yaml']),
      podcause(['-o', 'json', 'demo', '--all']),
    ]);
    expect(terminal.stdout.match(/^\$ podcause /gm)).toHaveLength(stories.length);
    expect(parseAllDocuments(yaml.stdout).map((document) => document.toJS().verdict)).toEqual(stories.map(() => 'found'));
    expect(
      json.stdout
        .split(/^}\n/m)
        .filter(Boolean)
        .map((one) => JSON.parse(`${one}}`).verdict),
    ).toEqual(stories.map(() => 'found'));
    expect([terminal.code, yaml.code, json.code]).toEqual([0, 0, 0]);
  });
});

describe.concurrent('causes', () => {
  it('lists all it knows', async () => {
    const { code, stdout } = await podcause(['causes']);
    expect(code).toBe(0);
    for (const { id } of catalogue) expect(stdout).toContain(id);
    expect(stdout).toContain(`${catalogue.length} causes`);
  });

  it('explains one', async () => {
    const { code, stdout } = await podcause(['causes', 'dockerd-lost-containerd', '-w', '70']);
    expect(code).toBe(0);
    for (const heading of ['How it happens', 'What settles it', 'Fix']) expect(stdout).toContain(heading);
    expect(stdout).not.toMatch(/undefined|\[object/);
  });

  it('gives them to programs', async () => {
    const all = await podcause(['causes', '-o', 'json']);
    const list: { id: string }[] = JSON.parse(all.stdout);
    expect(list.map(({ id }) => id).sort()).toEqual(catalogue.map(({ id }) => id).sort());
    expect(list.find(({ id }) => id === 'dockerd-lost-containerd')).toMatchObject({ area: 'runtime', at: 'Node' });
  });
});

describe.concurrent('completion', () => {
  it.each(['zsh', 'fish'])('has a script for %s', async (shell) => {
    const { code, stdout, stderr } = await podcause(['complete', shell]);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toContain('podcause complete --');
  });

  it.each<[string, readonly string[], readonly string[], boolean]>([
    ['commands, or files', [''], ['diagnose', 'demo', 'causes'], true],
    ['causes', ['causes', 'dockerd-'], ['dockerd-lost-containerd'], false],
    ['files after a file', ['pods.txt', 'x'], [], true],
    ['a value bash cut off', ['--output', '=', 'j'], ['json'], false],
  ])('knows %s', async (_, words, candidates, files) => {
    const { code, stdout } = await podcause(['complete', '--', ...words]);
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(lines.slice(0, -1).map((line) => line.split('\t')[0])).toEqual(expect.arrayContaining([...candidates]));
    expect(lines.at(-1)).toBe(files ? ':0' : ':4');
  });

  it('works in bash, twice over, and evaluates nothing of what was typed', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'describe it.txt'), '');
      const { stdout, stderr } = await inBash(
        `source <(podcause complete bash); source <(podcause complete bash)
         try() { COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _podcause podcause; printf '%s|' "\${COMPREPLY[@]}"; echo; }
         try podcause d; try podcause --output = y; try podcause causes dockerd-l; try podcause '$(touch gone-wrong)' '"'
         ls; complete -p podcause`,
        { cwd: folder },
      );
      expect(stderr).toBe('');
      expect(stdout).toBe(
        ['diagnose|demo|describe it.txt|', 'yaml|', 'dockerd-lost-containerd|', '|', 'describe it.txt'].join('\n') +
          '\ncomplete -o filenames -F _podcause podcause\n',
      );
    }));
});
