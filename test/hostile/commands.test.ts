import { beforeAll, describe, expect, it } from 'vitest';
import { execute, podcause } from '../cli/built-cli.ts';
import { eventsAbout, podCalled, SHELL_NAMES } from './hostile-names.ts';

/** Every command a report suggests. */
function commandsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(commandsIn);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'command' && typeof inner === 'string' ? [inner] : commandsIn(inner)));
}

async function suggestedAbout(names: readonly string[]): Promise<string[]> {
  const web = podCalled('web-0') as { metadata: { namespace: string } };
  web.metadata.namespace = 'shop';
  const items = [...names.map(podCalled), ...names.flatMap(eventsAbout), web];
  const { stdout } = await podcause(['-', '-o', 'json'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  return [...new Set(commandsIn(JSON.parse(stdout)))];
}

/** What stands outside single quotes, which is all a shell acts upon. */
function unquoted(command: string): string {
  return command.replaceAll(/'[^']*'/g, '');
}

describe('commands about hostile names', () => {
  let commands: readonly string[] = [];

  beforeAll(async () => {
    commands = await suggestedAbout(SHELL_NAMES);
  });

  it('hold the name as one word that does nothing', () => {
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter((command) => command.includes('PWNED')).length).toBeGreaterThan(10);
    for (const command of commands) expect(unquoted(command.replaceAll("'\\''", ''))).not.toMatch(/PWNED|\$\(|`|owned|\n/);
  });

  it('never turn a name into an option', () => {
    expect(commands.filter((command) => /(?:^|\s)'?(?:--all|-oyaml)'?(?:\s|$)/.test(command))).toEqual([]);
  });

  it('are read by bash as they are meant', async () => {
    for (const result of await Promise.all(
      ['bash -n', 'sh -n'].map((shell) => execute('sh', ['-c', shell], { input: commands.join('\n') })),
    )) {
      expect(result.stderr).toBe('');
    }
    // Only words are handed to printf; no command of a report is ever run.
    const plain = commands.filter((command) => command.startsWith('kubectl ') && !/[|;&<>]/.test(unquoted(command)));
    const script = plain.map((command) => `printf '%s\\0' ${command}; printf '\\n\\0'`).join('\n');
    const { stdout, stderr } = await execute('bash', ['--norc', '-c', `PATH=/nonexistent\n${script}`], { cwd: '/' });
    expect(stderr).toBe('');
    const words = stdout.split('\0');
    expect(words.filter((word) => word === 'kubectl')).toHaveLength(plain.length);
    expect(words.filter((word) => /^(?:pod\/)?PWNED$/.test(word))).toEqual([]);
    for (const name of ['x;echo PWNED', '$(echo PWNED)', '`echo PWNED`']) expect(words).toContain(name);
  });
});
