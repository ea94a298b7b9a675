// Start-up and a whole story against bare node.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { check, cli, compare, finish, root } from './measure.mjs';

const stories = join(root, 'cases');
const story = join(
  stories,
  readdirSync(stories).find((name) => name === 'init-container-hangs'),
  'evidence',
);
const [bare, version, diagnosis] = compare(
  [
    ['node', ['-e', '0']],
    ['node', [cli, '--version']],
    ['node', [cli, story]],
  ],
  15,
);
console.log(`node -e 0: ${bare.cpu.toFixed(3)} s CPU, ${bare.wall.toFixed(3)} s wall`);
check('podcause --version against node -e 0 (wall)', version.wall / bare.wall, 1.6);
check('a whole story against node -e 0 (wall)', diagnosis.wall / bare.wall, 4);
check('podcause --version against node -e 0 (CPU)', version.cpu / bare.cpu, 1.6);
check('a whole story against node -e 0 (CPU)', diagnosis.cpu / bare.cpu, 4);
finish();
