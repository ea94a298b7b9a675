import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../src/', import.meta.url));

/** Which folder may import which; everything else is a defect of the architecture. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  collect: ['model'],
  parse: ['model'],
  facts: ['model'],
  causes: ['model'],
  reason: ['model', 'facts'],
  text: ['model'],
  render: ['model', 'text', 'explain'],
  demo: ['diagnose.ts'],
  explain: ['model', 'parse', 'reason', 'diagnose.ts'],
  live: ['model', 'collect', 'parse', 'facts', 'reason', 'diagnose.ts'],
  fix: ['model', 'collect', 'parse', 'facts', 'reason', 'live', 'causes', 'text', 'diagnose.ts'],
  cli: ['model', 'fix', 'diagnose.ts', 'live', 'render', 'collect', 'causes', 'demo', 'text', 'explain'],
  'diagnose.ts': ['model', 'parse', 'facts', 'causes', 'reason'],
  'index.ts': ['model', 'diagnose.ts', 'causes', 'render'],
  'cause.ts': ['model', 'causes'],
  'testing.ts': ['model', 'diagnose.ts', 'facts', 'reason'],
};

/** Libraries, by the folder that may load them; node built-ins are for the edges. */
const MAY_LOAD: Readonly<Record<string, RegExp>> = {
  model: /^$/,
  causes: /^$/,
  reason: /^$/,
  facts: /^$/,
  text: /^$/,
  collect: /^(node:.*|tar|yauzl|yaml)$/,
  live: /^(node:(?:fs|os|path)|tar)$/,
  fix: /^(node:.*|yaml|smol-toml|toml-eslint-parser)$/,
  parse: /^(yaml|smol-toml|node:buffer)$/,
  render: /^(picocolors|yaml|node:crypto)$/,
  cli: /^(node:.*|commander|@bomb\.sh\/tab\/commander)$/,
  'testing.ts': /^(node:fs|node:test|vitest)$/,
};

interface Import {
  readonly file: string;
  readonly folder: string;
  readonly specifier: string;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(folder, entry.name))
      : entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') && !/^test(?:ing)?-/.test(entry.name)
        ? [join(folder, entry.name)]
        : [],
  );
}

function importsOf(file: string): Import[] {
  const folder = relative(root, file).split('/')[0] ?? '';
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(/(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s+'([^']+)'|\bimport\('([^']+)'\)/g);
  return [...found].map((match) => ({ file, folder, specifier: match[1] ?? match[2] ?? '' }));
}

const imports = filesBelow(root).flatMap(importsOf);

function targetOf({ file, specifier }: Import): string {
  return relative(root, resolve(dirname(file), specifier));
}

describe('the direction of imports', () => {
  it('reads a plausible number of imports', () => {
    expect(imports.length).toBeGreaterThan(100);
  });

  it('lets each folder import only what the table allows', () => {
    const wrong = imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .filter((one) => {
        const target = targetOf(one).split('/')[0] ?? '';
        return target !== one.folder && !(MAY_IMPORT[one.folder] ?? []).includes(target);
      })
      .map((one) => `${relative(root, one.file)} imports ${targetOf(one)}`);
    expect(wrong).toEqual([]);
  });

  it('lets each folder load only its libraries', () => {
    const wrong = imports
      .filter(({ specifier }) => !specifier.startsWith('.'))
      .filter(({ folder, specifier }) => !(MAY_LOAD[folder] ?? /^$/).test(specifier))
      .map(({ file, specifier }) => `${relative(root, file)} loads ${specifier}`);
    expect(wrong).toEqual([]);
  });

  it('keeps causes to the model and define-cause, never to one another', () => {
    const wrong = imports
      .filter(({ file }) => /\/causes\/[^/]+\/[^/]+\/(?!cause\.test)\w+\.ts$/.test(file))
      .filter((one) => targetOf(one) !== 'causes/define-cause.ts' && !targetOf(one).startsWith('model/'))
      // A long cause has files of its own beside it.
      .filter(({ specifier }) => !/^\.\/\w+\.ts$/.test(specifier))
      .map((one) => `${relative(root, one.file)} imports ${targetOf(one)}`);
    expect(wrong).toEqual([]);
  });

  it('has no import cycle', () => {
    const graph = new Map<string, string[]>();
    for (const one of imports) {
      if (!one.specifier.startsWith('.')) continue;
      const from = relative(root, one.file);
      graph.set(from, [...(graph.get(from) ?? []), targetOf(one)]);
    }
    expect(cycleIn(graph)).toBeUndefined();
  });

  it('names no cause outside its folder', () => {
    const ids = readdirSync(join(root, 'causes'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap((area) => readdirSync(join(root, 'causes', area.name)));
    const shared = filesBelow(root).filter((file) => /^(?:reason|render|facts|parse|text|collect|model)\//.test(relative(root, file)));
    const wrong = shared.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return ids.filter((id) => text.includes(`'${id}'`)).map((id) => `${relative(root, file)} names ${id}`);
    });
    expect(wrong).toEqual([]);
  });
});

function cycleIn(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  function visit(file: string): string[] | undefined {
    if (done.has(file)) return undefined;
    const at = path.indexOf(file);
    if (at >= 0) return [...path.slice(at), file];
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(file);
    return undefined;
  }
  for (const file of graph.keys()) {
    const cycle = visit(file);
    if (cycle) return cycle;
  }
  return undefined;
}
