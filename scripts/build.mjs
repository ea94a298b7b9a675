// Builds the CLI (node scripts/build.mjs cli [FOLDER]) and, without an argument, the library with its types too.
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

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

await Promise.all([
  build({ ...common, entryPoints: ['src/cli/run.ts'], outfile: resolve(folder, 'app.js') }),
  // The launcher knows the version; everything else is one file.
  build({
    ...common,
    entryPoints: ['src/cli/main.ts'],
    outfile: resolve(folder, 'main.js'),
    plugins: [apart(/\/run\.ts$/, './app.js')],
    banner: { js: '#!/usr/bin/env node' },
  }),
]);
writeFileSync(resolve(folder, 'package.json'), '{ "type": "commonjs" }\n');
chmodSync(resolve(folder, 'main.js'), 0o755);
if (process.argv[2] !== 'cli') {
  rmSync(`${root}/dist/lib`, { recursive: true, force: true });
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
}
