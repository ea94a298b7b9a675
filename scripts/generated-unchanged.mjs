// Fails when a generated file is not what npm run generate would write.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const generated = ['src/causes/catalogue.ts', 'src/demo/stories.ts', 'docs/causes'];
const filesOf = (path) => (statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path]);
const read = () => new Map(generated.flatMap((path) => filesOf(join(root, path))).map((file) => [file, readFileSync(file, 'utf8')]));
const before = read();
await import('./generate.mjs');
const after = read();
const changed = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));
if (changed.length > 0) {
  console.error(`Not up to date, run npm run generate and commit:\n${changed.map((file) => `  ${file.slice(root.length)}`).join('\n')}`);
  process.exit(1);
}
console.log('up to date');
