// Builds the CLI as one file (node scripts/build.mjs cli) and, without an argument, the library with its types too.
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
await build({
  absWorkingDir: root,
  entryPoints: ['src/cli/main.ts'],
  outfile: 'dist/cli/main.js',
  bundle: true,
  platform: 'node',
  // CommonJS, since Node loads it faster and its requires stay where they are needed.
  format: 'cjs',
  target: 'node20',
  minify: true,
  keepNames: false,
  legalComments: 'none',
  banner: { js: '#!/usr/bin/env node' },
});
writeFileSync(`${root}/dist/cli/package.json`, '{ "type": "commonjs" }\n');
chmodSync(`${root}/dist/cli/main.js`, 0o755);
if (process.argv[2] !== 'cli') {
  rmSync(`${root}/dist/lib`, { recursive: true, force: true });
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
}
