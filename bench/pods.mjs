// A cluster's pods in one file, streamed, against JSON.parse over the same bytes; and the look-ups of ten times the pods.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, cli, finish, root, time } from './measure.mjs';

const pods = Number(process.env.BENCH_PODS ?? 150_000);
const folder = mkdtempSync(join(tmpdir(), 'podcause-pods-'));
try {
  const [large, small] = [join(folder, 'pods.json'), join(folder, 'few-pods.json')];
  for (const [file, count] of [
    [large, pods],
    [small, Math.round(pods / 10)],
  ])
    spawnSync('node', [join(root, 'bench/make-pods.mjs'), file, String(count)], { stdio: 'inherit' });
  const yardstick = time('node', [join(root, 'bench/parse-chunks.mjs'), large]);
  const own = time('node', [cli, large, '--timing', '-o', 'json']);
  const few = time('node', [cli, small, '--timing', '-o', 'json']);
  const costOf = (run) => JSON.parse(run.errors.trim().split('\n').at(-1));
  const [cost, fewCost] = [costOf(own), costOf(few)];
  console.log(
    `${pods} pods, ${(statSync(large).size / 1e6).toFixed(0)} MB: JSON.parse ${yardstick.cpu.toFixed(1)} s, podcause ${own.cpu.toFixed(1)} s of CPU, ${cost.facts} facts, ${cost.lookups} look-ups`,
  );
  check('pods end to end against JSON.parse in chunks (CPU)', own.cpu / yardstick.cpu, 1.5);
  check('memory for the pods', cost.maxRssMb, 1000, { counted: true, unit: 'MB' });
  check('look-ups for ten times the pods', cost.lookups / fewCost.lookups, 11, { counted: true });
  finish();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
