import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inFolder } from '../../src/collect/testing-archives.ts';
import { builtCli, execute, inBash, looksCrashed, podcause } from './built-cli.ts';

interface Mistake {
  readonly args: readonly string[];
  readonly says: readonly (string | RegExp)[];
}

describe.concurrent('mistakes', () => {
  it.each<[string, Mistake]>([
    ['no arguments and no cluster', { args: [], says: ['kubeconfig', 'podcause -', 'podcause demo'] }],
    [
      'an unknown option',
      { args: ['--ouptut', 'json', '-'], says: ["unknown option '--ouptut'", 'Did you mean --output?', 'podcause --help'] },
    ],
    ['an unknown command', { args: ['demos'], says: ['Cannot read "demos"', 'Did you mean the command podcause demo?'] }],
    ['a missing file', { args: ['no/such/pods.txt'], says: ['Cannot read "no/such/pods.txt"', 'Check the spelling', 'use - to read'] }],
    ['an unknown format', { args: ['-o', 'xml', '-'], says: ['xml', 'terminal, json, yaml, markdown, html'] }],
    ['an incident that is no number', { args: ['-i', 'two', '-'], says: ["argument 'two' is invalid", 'whole number from 1'] }],
    ['diagnose without paths', { args: ['diagnose'], says: ["missing required argument 'paths'"] }],
    ['an unknown story', { args: ['demo', 'silent-restart'], says: ['no story silent-restart', 'Did you mean silent-restarts?'] }],
    ['all stories on one page', { args: ['demo', '--all', '-o', 'html'], says: ['one HTML page'] }],
    ['an unknown cause', { args: ['causes', 'nonsense'], says: ['no cause called nonsense', 'podcause causes lists them all'] }],
    ['a mistyped cause', { args: ['causes', 'dockerd-lost-containred'], says: ['Did you mean: dockerd-lost-containerd'] }],
    ['a part of a cause', { args: ['causes', 'iscsi'], says: [/Did you mean: .*host-missing-iscsi-longhorn/] }],
    ['a format causes do not have', { args: ['-o', 'html', 'causes'], says: ['cannot be printed as html', 'json'] }],
    ['a path that draws on the terminal', { args: ['\u001b[31mred\u202e.txt'], says: [/Cannot read "red\.txt"/] }],
  ])('%s', async (_, { args, says }) => {
    const ran = await podcause(args);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toMatch(/^podcause: /);
    expect(looksCrashed(ran)).toBe(false);
    for (const words of says) expect(ran.stderr).toMatch(words instanceof RegExp ? words : new RegExp(escaped(words)));
  });
});

function escaped(words: string): string {
  return words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

describe.concurrent('help and version', () => {
  it('shows every option, command and some examples', async () => {
    const { code, stdout, stderr } = await podcause(['--help']);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    for (const word of ['--output', '--focus', '--incident', '--verbose', '--width', '--no-color', '--no-redact', '--timing', 'Examples:'])
      expect(stdout).toContain(word);
    for (const word of ['diagnose', 'demo', 'causes', 'kubectl describe pod web-0 | podcause -', 'complete bash', 'Exit codes'])
      expect(stdout).toContain(word);
    expect(stdout.split('\n').every((line) => line.length <= 100)).toBe(true);
  });

  it('shows the options of a command', async () => {
    const { code, stdout } = await podcause(['demo', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('--list');
  });

  it('shows the version, alone or among other things', async () => {
    const versions = await Promise.all([podcause(['--version']), podcause(['-V', '--no-color'])]);
    for (const { code, stdout } of versions) {
      expect(code).toBe(0);
      expect(stdout).toMatch(/^podcause \d+\.\d+\.\d+\n$/);
    }
  });

  it('answers to the name kubectl calls it by', () =>
    inFolder(async (folder) => {
      const plugin = join(folder, 'kubectl-podcause');
      symlinkSync(await builtCli(), plugin);
      const help = await execute(process.execPath, [plugin, '--help']);
      expect(help.stdout).toMatch(/^Usage: kubectl podcause /);
      expect(help.stdout).toContain('| kubectl podcause -');
      const wrong = await execute(process.execPath, [plugin, '--nope']);
      expect(wrong.code).toBe(3);
      expect(wrong.stderr).toContain('kubectl podcause --help');
    }));
});

describe.concurrent('a closed pipe', () => {
  it.each(['demo --list', '--help', '-o html cases/silent-restarts/evidence'])('is no failure: %s', async (args) => {
    const ran = await inBash(`{ sleep 0.1; podcause ${args}; echo "code $?" >&2; } | true`);
    expect(ran.stderr).toMatch(/^code [01]\n$/);
  });

  it('lets head take its line', async () => {
    const ran = await inBash('podcause demo | head -1');
    expect(ran.stderr).toBe('');
    expect(ran.stdout.split('\n')).toHaveLength(2);
  });
});

describe.concurrent('odd but right', () => {
  it('reads a file whose name begins with a dash', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, '-v'), 'NAME   READY   STATUS    RESTARTS   AGE\nweb-0  1/1     Running   0          3d\n');
      const { code, stderr } = await podcause(['--', '-v'], { cwd: folder });
      expect(stderr).toBe('');
      expect(code).toBe(0);
    }));
});
