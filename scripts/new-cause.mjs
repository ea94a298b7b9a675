// Scaffolds a cause: npm run new-cause -- AREA ID

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../src/causes/', import.meta.url);
const [area, id] = process.argv.slice(2);
const areas = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

function stop(message) {
  console.error(`new-cause: ${message}\nusage: npm run new-cause -- AREA ID, e.g. npm run new-cause -- network dns-cache-stale`);
  process.exit(2);
}
if (area === undefined || id === undefined) stop('an area and an id are needed');
if (!areas.includes(area)) stop(`there is no area ${area}; there are: ${areas.join(', ')}`);
if (!/^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(id)) stop(`the id ${id} should be words of small letters, joined by hyphens, that state the fault`);
const taken = areas.find((one) => existsSync(new URL(`${one}/${id}/`, root)));
if (taken) stop(`${taken}/${id} is there already`);

const folder = new URL(`${area}/${id}/`, root);
mkdirSync(folder);
writeFileSync(
  new URL('cause.ts', folder),
  `import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const said = line('the words the program prints', ['container-log', 'pod-events'], /the words the program prints: (?<what>[^\\s"]{1,200})/);
const other = line('words of a look-alike', ['container-log']);

export const cause = defineCause({
  id: '${id}',
  area: '${area}',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop'],

  text: {
    name: 'Five words at most',
    title: 'What is wrong, with the concrete thing in it: {what}',
    why: 'How it comes about, so that the reader believes it: what does what, and why that ends in these symptoms.',
  },

  clues: {
    said: proves(said),
    other: excludes(other),
  },
  says: {
    said: 'what this line tells, in our words: {what}',
    other: 'the other explanation it speaks for',
  },
  slots: (_, { said: seen }) => ({ what: seen?.fields['what'] ?? 'something' }),

  fixes: [
    {
      say: 'The least risky way out',
      risk: 'reads-only',
      steps: [{ say: 'what to look at first', run: 'kubectl get pods', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['repository path/to/the/file that prints it'],
});
`,
);
writeFileSync(
  new URL('cause.test.ts', folder),
  `import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

// Evidence as people paste it, with names of your own; several versions where the message changed.
testCause(cause, {
  finds: {},
  rulesOut: {},
  asks: {},
});
`,
);
writeFileSync(
  new URL('readme.md', folder),
  `# Five words at most

One sentence.

## How it happens

## How to tell it apart

| looks alike | told apart by |
|---|---|

## Sources
`,
);
execFileSync('node', [fileURLToPath(new URL('generate-catalogue.mjs', import.meta.url))]);
console.log(`src/causes/${area}/${id}: fill in cause.ts, cause.test.ts and readme.md, then
  npx vitest run src/causes/${area}/${id}
  npm run generate
  npm run translations -- zh missing ${id}`);
