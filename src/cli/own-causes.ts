import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { catalogue } from '../causes/catalogue.ts';
import type { Cause } from '../model/cause.ts';
import { EXIT, UsageError } from './errors.ts';

/** The built-in catalogue and, with `--causes DIR`, the user's own. */
export async function causesFor({ causes: folder }: { readonly causes?: string }): Promise<readonly Cause[]> {
  if (folder === undefined) return catalogue;
  const own = await load(folder);
  const known = new Set(catalogue.map(({ id }) => id));
  const twice = own.find(({ id }) => known.has(id));
  if (twice) throw new UsageError(`${folder}: ${twice.id} is the name of a built-in cause; give it another.`);
  return [...catalogue, ...own];
}

/** `podcause causes test DIR`: the contract first, then the tests beside the causes. */
export async function testOwnCauses(folder: string): Promise<number> {
  const own = await causesFor({ causes: folder });
  const { resolverFor, testsIn } = await import('./private-causes.ts');
  const tests = testsIn(folder);
  const count = own.length - catalogue.length;
  process.stderr.write(`podcause: ${count} ${count === 1 ? 'cause keeps' : 'causes keep'} the contract.\n`);
  if (tests.length === 0) throw new UsageError(`${folder} holds no test: a cause.test.mjs beside each cause.mjs.`);
  const preload = `import { register } from 'node:module'; register(${JSON.stringify(resolverFor(library()))});`;
  const importing = `data:text/javascript,${encodeURIComponent(preload)}`;
  const { status } = spawnSync(process.execPath, ['--import', importing, '--test', '--test-reporter=spec', ...tests], { stdio: 'inherit' });
  return status === 0 ? EXIT.healthy : EXIT.found;
}

async function load(folder: string): Promise<readonly Cause[]> {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new UsageError(`there is no folder ${folder}.`);
  const { loadPrivateCauses } = await import('./private-causes.ts');
  const { causes, problems } = await loadPrivateCauses(folder, library());
  if (problems.length > 0) throw new UsageError(`these causes cannot be used:\n${problems.map((one) => `  ${one}`).join('\n')}`);
  return causes;
}

function library(): string {
  const folder = join(dirname(realpathSync(process.argv[1] ?? '.')), '..', 'lib');
  if (!existsSync(join(folder, 'cause.js'))) throw new UsageError('this podcause was built without its library; npm run build makes it.');
  return folder;
}
