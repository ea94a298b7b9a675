import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ran } from '../lab.ts';
import { runCommand } from '../run-command.ts';
import { asCommand } from './way.ts';

/** A program with a terminal as its input, so that it asks; its words are kept apart from the questions and their echo. */
export async function runAtTerminal(words: readonly string[], typed: string, env: Readonly<Record<string, string>>): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'podcause-lab-terminal-'));
  const [out, told] = [join(folder, 'out'), join(folder, 'told')];
  try {
    const command = `${asCommand(words)} > ${asCommand([out])} 2> ${asCommand([told])}`;
    const ran = await runCommand('script', ['-qec', command, '/dev/null'], { input: typed, env, timeoutSeconds: 600, cwd: tmpdir() });
    return { code: ran.code, stdout: textOf(out), stderr: textOf(told) || ran.stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
