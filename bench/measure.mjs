// Runs commands and compares them within one run: ratios, never bare seconds.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const cli = join(root, 'dist/cli/main.js');

/** CPU and wall seconds of one run, as the shell counts them. */
export function time(command, args, options = {}) {
  const quoted = [command, ...args].map((word) => `'${String(word).replaceAll("'", "'\\''")}'`).join(' ');
  const script = `TIMEFORMAT='%3U %3S %3R'; { time ${quoted} >/dev/null 2>"$ERRORS"; } 2>&1`;
  const folder = mkdtempSync(join(tmpdir(), 'podcause-bench-'));
  const file = join(folder, 'stderr');
  const { stdout, status } = spawnSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { ...process.env, ERRORS: file, ...options.env },
  });
  const errors = readFileSync(file, 'utf8');
  rmSync(folder, { recursive: true });
  const [user, system, wall] = stdout.trim().split('\n').at(-1).split(' ').map(Number);
  return { cpu: user + system, wall, errors, status };
}

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Interleaved runs, so that a busy moment hits all alike. */
export function compare(commands, runs) {
  const samples = commands.map(() => []);
  for (let run = 0; run < runs; run++) {
    for (const [index, [command, args]] of commands.entries()) samples[index].push(time(command, args));
  }
  return samples.map((own) => ({ cpu: median(own.map(({ cpu }) => cpu)), wall: median(own.map(({ wall }) => wall)) }));
}

const rows = [];
let failed = 0;

/** A timing ratio fails only beyond twice its bound, since machines are noisy; counted work must hold exactly. */
export function check(name, value, bound, { counted = false, unit = 'x' } = {}) {
  const limit = counted ? bound : bound * 2;
  const verdict = value <= bound ? 'ok' : value <= limit ? 'slow' : 'FAILED';
  if (verdict === 'FAILED') failed++;
  rows.push([name, `${value.toFixed(2)} ${unit}`, `${bound} ${unit}`, verdict]);
}

export function finish() {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column])).join('  '));
  console.log(`${rows.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
