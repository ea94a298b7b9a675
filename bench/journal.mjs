// A large kubelet journal end to end, against ripgrep on one core looking for one in twenty of the same lines in
// the first part of the same journal: with many expressions its automaton outgrows its cache, and the whole would
// take it an hour. Harder, and so with a bound of its own: ripgrep with all literals and no expression at all.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

/** The first megabytes of a file, up to the end of a line. */
function firstPart(path, copy, bytes) {
  const buffer = Buffer.alloc(Math.min(bytes, statSync(path).size));
  const handle = openSync(path, 'r');
  readSync(handle, buffer, 0, buffer.length, 0);
  closeSync(handle);
  writeFileSync(copy, buffer.subarray(0, buffer.lastIndexOf(10) + 1));
}

const ONE_IN = 20;
const PART_MB = 10;
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
  const lines = catalogue.flatMap(({ clues }) =>
    Object.values(clues).flatMap(({ line }) => (line && !line.pattern?.test('') ? [line] : [])),
  );
  const patterns = lines.filter((_, index) => index % ONE_IN === 0).flatMap(patternsOf);
  const file = join(folder, 'patterns');
  writeFileSync(file, `${patterns.join('\n')}\n`);
  const part = join(folder, 'part.log');
  firstPart(journal, part, PART_MB * 1024 * 1024);
  const search = (...options) => {
    const rg = time('rg', ['-c', '-j1', '--regex-size-limit', '1G', '--dfa-size-limit', '1G', ...options]);
    if (rg.status > 1) throw new Error(`ripgrep failed with ${rg.status}`);
    return rg;
  };
  const runs = [0, 1, 2].map(() => {
    const rg = search('-f', file, part);
    const own = time('node', [cli, journal, '--timing']);
    return { rg, own, cost: JSON.parse(own.errors.trim().split('\n').at(-1)) };
  });
  const literals = join(folder, 'literals');
  writeFileSync(literals, `${lines.flatMap((line) => line.literals).join('\n')}\n`);
  const plain = search('-F', '-f', literals, journal);
  const best = (pickValue) => Math.min(...runs.map(pickValue));
  const size = statSync(journal).size / 1024 / 1024;
  const perMb = (own, rg) => best(own) / size / (best(rg) / (statSync(part).size / 1024 / 1024));
  console.log(
    `${size.toFixed(0)} MB, ${runs[0].cost.lines} lines, ${lines.length} signatures: podcause ${(size / best(({ own }) => own.cpu)).toFixed(0)} MB/s of CPU, whole diagnosis; ripgrep with ${patterns.length} of the expressions, on ${PART_MB} MB: ${(PART_MB / best(({ rg }) => rg.cpu)).toFixed(2)} MB/s; ripgrep with all literals and no expression: ${(size / plain.cpu).toFixed(0)} MB/s`,
  );
  check(
    'the journal end to end against ripgrep (CPU per MB)',
    perMb(
      ({ own }) => own.cpu,
      ({ rg }) => rg.cpu,
    ),
    1,
  );
  check(
    'the journal end to end against ripgrep (wall per MB)',
    perMb(
      ({ own }) => own.wall,
      ({ rg }) => rg.wall,
    ),
    1,
  );
  check('the journal end to end against ripgrep with literals only (CPU)', best(({ own }) => own.cpu) / plain.cpu, 3);
  check('memory for the journal', Math.max(...runs.map(({ cost }) => cost.maxRssMb)), 300, { counted: true, unit: 'MB' });
  finish();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
