// Entry of `npm run lab`: bundles the lab's TypeScript and the wanted scenarios, then hands over.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSource } from '../scripts/load-source.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = new URL('./scenarios/', import.meta.url);

/** Folders of scenarios that hold this file. */
function idsWith(file) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((id) => existsSync(new URL(`${id}/${file}`, folder)))
    .sort();
}

async function loadFrom(file, name, ids) {
  const imports = ids.map((id, index) => `import { ${name} as s${index} } from './lab/scenarios/${id}/${file}';`);
  const list = `export const loaded = [${ids.map((_, index) => `s${index}`).join(', ')}];`;
  const { loaded } = await loadSource([...imports, list].join('\n'));
  return loaded;
}

const surroundings = {
  root,
  scenarioIds: () => idsWith('scenario.ts'),
  loadScenarios: (ids) => loadFrom('scenario.ts', 'scenario', ids),
  fixIds: () => idsWith('fix.ts'),
  loadFixes: (ids) => loadFrom('fix.ts', 'fix', ids),
};

const { main } = await loadSource(`export { main } from './lab/src/main.ts';`);
process.exitCode = await main(process.argv.slice(2), surroundings);
