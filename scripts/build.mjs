// Builds the CLI (node scripts/build.mjs cli) and, without an argument, the library with its types too.
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
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

/** The launcher knows the version and loads everything else, one file, only when it is needed. */
const everythingElse = {
  name: 'everything-else',
  setup({ onResolve }) {
    onResolve({ filter: /\/run\.ts$/ }, () => ({ path: './app.js', external: true }));
  },
};

await Promise.all([
  build({ ...common, entryPoints: ['src/cli/run.ts'], outfile: 'dist/cli/app.js' }),
  build({
    ...common,
    entryPoints: ['src/cli/main.ts'],
    outfile: 'dist/cli/main.js',
    plugins: [everythingElse],
    banner: { js: '#!/usr/bin/env node' },
  }),
]);
writeFileSync(`${root}/dist/cli/package.json`, '{ "type": "commonjs" }\n');
chmodSync(`${root}/dist/cli/main.js`, 0o755);
if (process.argv[2] !== 'cli') {
  rmSync(`${root}/dist/lib`, { recursive: true, force: true });
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
}
