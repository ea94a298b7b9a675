// A large kubelet journal end to end, against ripgrep looking for the same lines on one core.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSource } from '../scripts/load-source.mjs';
import { check, cli, finish, root, time } from './measure.mjs';

/** The same signature in ripgrep's dialect; where that has no word for it (look-ahead), its literals. */
function patternsOf({ literals, pattern }) {
  const source = pattern?.source
    .replaceAll(/\(\?<\w+>/g, '(?:')
    .replaceAll('\\/', '/')
    .replaceAll('[^]', '.');
  if (source !== undefined && spawnSync('rg', ['-e', source, '/dev/null']).status !== 2) return [source];
  return literals.map((literal) => literal.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}

const megabytes = Number(process.env.BENCH_JOURNAL_MB ?? 500);
if (spawnSync('rg', ['--version']).status !== 0) {
  console.log('ripgrep is not installed: apt-get install ripgrep');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'podcause-journal-'));
try {
  const journal = join(folder, 'kubelet.log');
  spawnSync('node', [join(root, 'bench/make-journal.mjs'), journal, String(megabytes)], { stdio: 'inherit' });
  const { catalogue } = await loadSource("export { catalogue } from './src/causes/catalogue.ts';");
  const patterns = catalogue.flatMap(({ clues }) => Object.values(clues).flatMap(({ line }) => (line ? patternsOf(line) : [])));
  const file = join(folder, 'patterns');
  writeFileSync(file, `${patterns.join('\n')}\n`);
  const runs = [0, 1, 2].map(() => {
    const rg = time('rg', ['-c', '-j1', '--regex-size-limit', '1G', '--dfa-size-limit', '1G', '-f', file, journal]);
    const own = time('node', [cli, journal, '--timing']);
    return { rg, own, cost: JSON.parse(readFileSync(own.errors, 'utf8').trim().split('\n').at(-1)) };
  });
  const best = (pickValue) => Math.min(...runs.map(pickValue));
  const rg = best(({ rg: one }) => one.cpu);
  const own = best(({ own: one }) => one.cpu);
  const size = statSync(journal).size / 1024 / 1024;
  console.log(
    `${size.toFixed(0)} MB, ${runs[0].cost.lines} lines, ${patterns.length} signatures: ripgrep ${(size / rg).toFixed(0)} MB/s, podcause ${(size / own).toFixed(0)} MB/s of CPU; wall ${best(({ rg: one }) => one.wall).toFixed(2)} s and ${best(({ own: one }) => one.wall).toFixed(2)} s`,
  );
  check('the journal end to end against ripgrep (CPU)', own / rg, 1);
  check('the journal end to end against ripgrep (wall)', best(({ own: one }) => one.wall) / best(({ rg: one }) => one.wall), 1);
  check('memory for the journal', Math.max(...runs.map(({ cost }) => cost.maxRssMb)), 300, { counted: true, unit: 'MB' });
  finish();
} finally {
  if (existsSync(folder)) rmSync(folder, { recursive: true });
}
