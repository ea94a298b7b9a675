// Builds the CLI (node scripts/build.mjs cli [FOLDER]) and, without an argument, the library with its types too.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { loadSource } from './load-source.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(root, process.argv[3] ?? 'dist/cli');
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  // CommonJS, since Node loads it faster and its requires stay where they are needed.
  format: 'cjs',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  // A real import() of CommonJS would make Node read the whole file twice, to guess its exports.
  supported: { 'dynamic-import': false },
};

/** Leaves one source file out of a bundle, to be loaded beside it only when it is needed. */
function apart(filter, path) {
  return {
    name: path,
    setup({ onResolve }) {
      onResolve({ filter }, () => ({ path, external: true }));
    },
  };
}

/** Packages that few runs need, each in a file of its own: what is not read is not compiled. */
const RARE = { tar: 'lib-tar.js', yauzl: 'lib-yauzl.js', 'toml-eslint-parser': 'lib-toml.js' };

function rareApart() {
  return {
    name: 'rare packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[@a-z]/ }, ({ path }) => (Object.hasOwn(RARE, path) ? { path: `./${RARE[path]}`, external: true } : undefined));
    },
  };
}

function buildRare([name, file]) {
  const stdin = { contents: `module.exports = require('${name}');`, resolveDir: root };
  return build({ ...common, stdin, outfile: resolve(folder, file) });
}

const { catalogue, lineHeads, linesOf, packedIndexOf } = await loadSource(`
export { catalogue } from './src/causes/catalogue.ts';
export { lineHeads, linesOf } from './src/reason/lines.ts';
export { packedIndexOf } from './src/parse/scan/scanner.ts';`);

/** Heads of all causes as data, which is quicker to read than to compile; and the index of their lines. */
function writeHeads() {
  const heads = catalogue.map((cause) => {
    const { id, area, at, maturity, explains, effectOf, restates, wakesOn } = cause;
    return { id, area, at, maturity, explains, effectOf, restates, wakesOn, lines: lineHeads(cause) };
  });
  writeFileSync(resolve(folder, 'causes.json'), JSON.stringify(heads));
  writeFileSync(resolve(folder, 'causes.index'), packedIndexOf(linesOf(catalogue)));
}

/**
 * In parts, so that a run reads only what it needs: what `import()` leads to is apart. Only modules can be parted, so they are
 * made first, in memory, and each is then turned into CommonJS.
 */
async function buildApp() {
  const { outputFiles } = await build({
    ...common,
    format: 'esm',
    splitting: true,
    supported: {},
    write: false,
    entryPoints: [{ in: 'src/cli/run.ts', out: 'app' }],
    outdir: folder,
    chunkNames: 'part-[hash]',
    plugins: [apart(/\/private-causes\.ts$/, './private-causes.js'), rareApart(), lazyCatalogue()],
  });
  await Promise.all(
    outputFiles.map(({ path, text }) => {
      const { bundle, absWorkingDir, ...options } = { ...common, define: { BESIDE: 'require' } };
      return transform(text, options).then(({ code }) => writeFileSync(path, code));
    }),
  );
}

/** Each cause in a file of its own that is loaded when it wakes. */
function lazyCatalogue() {
  return {
    name: 'lazy catalogue',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\.\/causes\.json$/ }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /[\\/]src[\\/]causes[\\/]catalogue\.ts$/ }, () => ({
        contents: `import { readFileSync } from 'node:fs';
import heads from './causes.json';
import { lazyCatalogue } from './lazy-catalogue.ts';
const load = (id) => BESIDE('./causes/' + id + '.js').cause;
export const catalogue = lazyCatalogue(heads, load, () => readFileSync(BESIDE.resolve('./causes.index')));`,
        loader: 'js',
        resolveDir: resolve(root, 'src/causes'),
      }));
    },
  };
}

function buildCauses() {
  const entryPoints = catalogue.map(({ id, area }) => ({ in: `src/causes/${area}/${id}/cause.ts`, out: `causes/${id}` }));
  return build({ ...common, entryPoints, outdir: folder, plugins: [apart(/\/define-cause\.ts$/, '../causes-kit.js')] });
}

// A file of an earlier build would be packed with the rest.
if (process.argv[3] === undefined) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeHeads();
await Promise.all([
  buildCauses(),
  build({ ...common, entryPoints: ['src/causes/define-cause.ts'], outfile: resolve(folder, 'causes-kit.js') }),
  ...Object.entries(RARE).map(buildRare),
  buildApp(),
  // Causes of a user's own are modules: only a real import() loads them.
  build({ ...common, supported: {}, entryPoints: ['src/cli/private-causes.ts'], outfile: resolve(folder, 'private-causes.js') }),
  // The launcher knows the version, and loads everything else.
  build({
    ...common,
    entryPoints: ['src/cli/main.ts'],
    outfile: resolve(folder, 'main.js'),
    plugins: [apart(/\/run\.ts$/, './app.js')],
    banner: { js: '#!/usr/bin/env node' },
  }),
]);
mkdirSync(resolve(folder, 'languages'), { recursive: true });
for (const name of readdirSync(resolve(root, 'languages')).filter((one) => one.endsWith('.json'))) {
  const language = JSON.parse(readFileSync(resolve(root, 'languages', name), 'utf8'));
  writeFileSync(resolve(folder, 'languages', name), JSON.stringify(language));
}
writeFileSync(resolve(folder, 'package.json'), '{ "type": "commonjs" }\n');
chmodSync(resolve(folder, 'main.js'), 0o755);
if (process.argv[2] !== 'cli') {
  rmSync(`${root}/dist/lib`, { recursive: true, force: true });
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
}
