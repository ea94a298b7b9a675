import { existsSync, readdirSync } from 'node:fs';
import { register } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contractProblems } from '../causes/contract.ts';
import type { Cause } from '../model/cause.ts';

/** Built apart from the rest, since users' causes are modules and only a real import() loads them. */
export interface PrivateCauses {
  readonly causes: readonly Cause[];
  /** For the user; empty when all could be used. */
  readonly problems: readonly string[];
}

const DEEPEST = 4;
const CAUSE_FILE = /^cause\.(?:mjs|js|mts|ts)$/;
const TEST_FILE = /^cause\.test\.(?:mjs|js|mts|ts)$/;

export async function loadPrivateCauses(folder: string, library: string): Promise<PrivateCauses> {
  const files = filesNamed(folder, CAUSE_FILE);
  if (files.length === 0) return { causes: [], problems: [`${folder} holds no cause: a folder for each, with a cause.mjs in it`] };
  register(resolverFor(library));
  const causes: Cause[] = [];
  const problems: string[] = [];
  for (const file of files) {
    try {
      const { cause } = (await import(pathToFileURL(resolve(file)).href)) as { readonly cause?: Cause };
      const wrong = cause === undefined ? ['it exports no cause'] : problemsOf(cause, file);
      if (wrong.length > 0 || cause === undefined) problems.push(...wrong.map((one) => `${file}: ${one}`));
      else causes.push(cause);
    } catch (error) {
      problems.push(`${file}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    }
  }
  return { causes, problems };
}

function problemsOf(cause: Cause, file: string): string[] {
  const own = basename(dirname(resolve(file)));
  const misplaced = cause.id === own ? [] : [`its id is ${cause.id}, its folder ${own}`];
  return [...misplaced, ...contractProblems(cause)];
}

export function testsIn(folder: string): readonly string[] {
  return filesNamed(folder, TEST_FILE);
}

function filesNamed(folder: string, name: RegExp, depth = 0): string[] {
  if (depth > DEEPEST || !existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesNamed(join(folder, entry.name), name, depth + 1);
      return name.test(entry.name) ? [join(folder, entry.name)] : [];
    });
}

/** `podcause/cause` is this very installation, wherever the user's folder lies. */
export function resolverFor(library: string): string {
  const known = Object.fromEntries(
    ['cause', 'testing'].map((name) => [`podcause/${name}`, pathToFileURL(join(library, `${name}.js`)).href]),
  );
  const source = `const known = ${JSON.stringify(known)};
export async function resolve(specifier, context, next) {
  const url = known[specifier];
  return url ? { url, shortCircuit: true } : next(specifier, context);
}`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
