// Entry of `npm run lab`: bundles the lab's TypeScript and the wanted scenarios, then hands over.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSource } from '../scripts/load-source.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = new URL('./scenarios/', import.meta.url);

function scenarioIds() {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((id) => existsSync(new URL(`${id}/scenario.ts`, folder)))
    .sort();
}

async function loadScenarios(ids) {
  const imports = ids.map((id, index) => `import { scenario as s${index} } from './lab/scenarios/${id}/scenario.ts';`);
  const list = `export const scenarios = [${ids.map((_, index) => `s${index}`).join(', ')}];`;
  const { scenarios } = await loadSource([...imports, list].join('\n'));
  return scenarios;
}

const { main } = await loadSource(`export { main } from './lab/src/main.ts';`);
process.exitCode = await main(process.argv.slice(2), { root, scenarioIds, loadScenarios });
