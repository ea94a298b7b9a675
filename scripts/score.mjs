// How sure is podcause, and how right: every known case, answered by the whole catalogue.
//   npm run score [-- --conflicts]
// Cases: cases/* (written and recorded), the evidence of every cause's own tests, and ../shared/incidents where it is.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { loadSource } from './load-source.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const showConflicts = process.argv.includes('--conflicts');
const { catalogue, collectPaths, diagnose } = await loadSource(`
export { catalogue } from './src/causes/catalogue.ts';
export { diagnose } from './src/diagnose.ts';
export { collectPaths } from './src/collect/files.ts';`);
const byId = new Map(catalogue.map((cause) => [cause.id, cause]));

/** The tables of the causes' own tests, without running them. */
async function causeTables() {
  const tests = catalogue.map(({ area, id }) => `./src/causes/${area}/${id}/cause.test.ts`).filter((path) => existsSync(join(root, path)));
  const outfile = join(root, 'node_modules/.score-tables.mjs');
  await build({
    stdin: { contents: tests.map((path) => `import '${path}';`).join('\n'), resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
    target: 'node20',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [
      {
        name: 'tables instead of tests',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /\/testing\.ts$/ }, () => ({ path: 'tables', namespace: 'tables' }));
          onResolve({ filter: /^vitest$/ }, () => ({ path: 'quiet', namespace: 'quiet' }));
          onLoad({ filter: /.*/, namespace: 'quiet' }, () => ({
            contents:
              'const quiet = Object.assign(() => {}, { each: () => () => {} }); export { quiet as describe, quiet as it, quiet as test, quiet as expect };',
            loader: 'js',
          }));
          onLoad({ filter: /.*/, namespace: 'tables' }, () => ({
            contents: `globalThis.tables ??= [];
export const testCause = (cause, cases) => globalThis.tables.push({ cause, cases });
export const evidenceIn = () => (...names) => ({ folder: names });`,
            loader: 'js',
          }));
        },
      },
    ],
  });
  await import(outfile);
  return globalThis.tables;
}

/** A cause that declares itself an effect of another is answered by either. */
function isKin(said, wanted) {
  const seen = new Set();
  function climbs(from, to) {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return (byId.get(from)?.effectOf ?? []).some((id) => climbs(id, to));
  }
  if (climbs(said, wanted)) return true;
  // Whoever says why answers also where only that something failed was wanted.
  if (byId.get(wanted)?.restates && byId.get(said)?.explains.some((one) => byId.get(wanted).explains.includes(one))) return true;
  seen.clear();
  return climbs(wanted, said);
}

const counts = { certain: { right: 0, all: 0 }, probable: { right: 0, all: 0 }, possible: { right: 0, all: 0 } };
const sources = new Map();
const conflicts = [];
function count(source, incident, right, wanted) {
  const own = sources.get(source) ?? { first: 0, right: 0, silent: 0 };
  sources.set(source, own);
  own.first++;
  if (incident === undefined) {
    own.silent++;
    return;
  }
  const level = counts[incident.confidence];
  level.all++;
  if (right) {
    level.right++;
    own.right++;
  } else conflicts.push(`${incident.confidence}: ${incident.cause} for ${wanted}`);
}

for (const { cause, cases } of await causeTables()) {
  for (const [name, { evidence }] of Object.entries(cases.finds)) {
    if ('folder' in evidence) continue;
    const report = await diagnose(Object.entries(evidence).map(([file, text]) => ({ name: file, text })));
    const [first] = report.incidents;
    count('tests of causes', first, first !== undefined && isKin(first.cause, cause.id), `${cause.id} (${name})`);
  }
}
for (const name of readdirSync(join(root, 'cases'))) {
  const folder = join(root, 'cases', name);
  if (!statSync(folder).isDirectory()) continue;
  const wanted = JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8'));
  for (const form of ['evidence', 'pasted', 'bundle'].filter((one) => existsSync(join(folder, one)))) {
    const report = await diagnose(collectPaths([join(folder, form)]).documents);
    const expected = (wanted.incidents ?? []).map((one) => one.cause);
    for (const [index, incident] of report.incidents.entries()) {
      if (wanted.more && index >= expected.length) break;
      count('cases', incident, expected.includes(incident.cause), `${name}/${form}`);
    }
    if (expected.length > 0 && report.incidents.length === 0) count('cases', undefined, false, name);
  }
}
const incidents = join(root, '../shared/incidents');
if (existsSync(incidents)) {
  for (const name of readdirSync(incidents)) {
    const truth = JSON.parse(readFileSync(join(incidents, name, 'case.json'), 'utf8'));
    const report = await diagnose(collectPaths([join(incidents, name, 'evidence')]).documents);
    const [first] = report.incidents;
    const said =
      first &&
      [
        first.cause,
        first.title,
        first.why,
        first.place,
        ...first.chain.flatMap((link) => [link.cause, link.title, link.why]),
        ...first.because.map((one) => one.says),
      ].join('\n');
    const healthy = truth.healthy === true || truth.names === undefined;
    if (healthy && first === undefined) continue;
    count('incidents', first, !healthy && truth.names.every((pattern) => new RegExp(pattern, 'is').test(said ?? '')), name.split('-')[0]);
  }
}

const FLOORS = { certain: 0.98, probable: 0.85, possible: 0.5 };
let failed = false;
console.log('| said | right | of | share | floor |\n|---|---|---|---|---|');
for (const [level, { right, all }] of Object.entries(counts)) {
  const share = all === 0 ? 1 : right / all;
  if (share < FLOORS[level]) failed = true;
  console.log(`| ${level} | ${right} | ${all} | ${(share * 100).toFixed(1)} % | ${FLOORS[level] * 100} % |`);
}
console.log('\n| cases | answers | first one right | silent |\n|---|---|---|---|');
for (const [source, { first, right, silent }] of sources)
  console.log(`| ${source} | ${first} | ${right} (${((right / first) * 100).toFixed(1)} %) | ${silent} |`);
if (showConflicts) console.log(`\n${conflicts.sort().join('\n')}`);
process.exit(failed ? 1 : 0);
