// npm test: fastest first; the same here and in CI.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// In CI vitest would paint each of ten thousand dots.
const colours = process.stdout.isTTY ? [] : ['--no-color'];
const steps = [
  ['format and lint', 'npx', ['biome', 'check', '.']],
  ['types', 'npx', ['tsc', '--noEmit', '-p', 'tsconfig.json']],
  ['unused code', 'npx', ['knip']],
  ['generated files', 'node', ['scripts/generated-unchanged.mjs']],
  ['tests', 'npx', ['vitest', 'run', '--reporter=dot', ...colours]],
];
for (const [name, command, args] of steps) {
  const started = Date.now();
  process.stdout.write(`\n== ${name}\n`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  process.stdout.write(`== ${name}: ${status === 0 ? 'ok' : 'failed'} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
  if (status !== 0) process.exit(status ?? 1);
}
