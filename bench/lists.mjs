// A cluster's pods as pages of an API server, in protobuf and in JSON, against JSON.parse over the same pages.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { check, finish, median, root } from './measure.mjs';

const pods = Number(process.env.BENCH_PODS ?? 150_000);
const runs = Number(process.env.BENCH_RUNS ?? 3);
const folder = mkdtempSync(join(tmpdir(), 'podcause-lists-'));
const [reader, encoder] = [join(folder, 'reader.mjs'), join(folder, 'encoder.mjs')];

async function bundle(source, outfile) {
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
  await build({ entryPoints: [join(root, source)], outfile, bundle: true, platform: 'node', format: 'esm', banner, logLevel: 'error' });
}

try {
  await bundle('src/parse/read-documents.ts', reader);
  await bundle('src/parse/objects/protobuf/testing-encoder.ts', encoder);
  execFileSync('node', [join(root, 'bench/make-pages.mjs'), folder, encoder], { stdio: 'inherit' });
  const count = String(Math.ceil(pods / 500));
  const ways = ['parse', 'protobuf', 'json'];
  const samples = Object.fromEntries(ways.map((way) => [way, []]));
  for (let run = 0; run < runs; run++) {
    for (const way of ways)
      samples[way].push(JSON.parse(execFileSync('node', [join(root, 'bench/read-pages.mjs'), way, folder, count, reader])));
  }
  const cpu = (way) => median(samples[way].map((sample) => sample.cpu));
  const memory = (way) => Math.max(...samples[way].map(({ megabytes }) => megabytes));
  const [size, wire] = ['0.json', '0.pb'].map((file) => Math.round(statSync(join(folder, file)).size / 500));
  for (const way of ways)
    console.log(
      `${way}: ${cpu(way).toFixed(2)} s of CPU, ${memory(way)} MB, ${samples[way][0].facts} facts of ${samples[way][0].pods} pods`,
    );
  console.log(`${pods} pods of ${size} bytes of JSON, ${wire} of protobuf`);
  check('protobuf pages to facts against JSON.parse (CPU)', cpu('protobuf') / cpu('parse'), 0.35);
  check('JSON pages to facts against JSON.parse (CPU)', cpu('json') / cpu('parse'), 1.2);
  check('memory for the protobuf pages', memory('protobuf'), 500, { counted: true, unit: 'MB' });
  check('pods found otherwise than in JSON', Math.abs(samples.protobuf[0].pods - samples.json[0].pods), 0, { counted: true, unit: '' });
  check('facts found otherwise than in JSON', Math.abs(samples.protobuf[0].facts - samples.json[0].facts), 0, { counted: true, unit: '' });
  finish();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
