// Real incidents, scored; no floor yet, but nothing may be certain and wrong, crash, or cry wolf.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const shared = process.argv[2];
const { stdout } = spawnSync('node', [join(shared, 'score/score.mjs'), '--cases', join(shared, 'incidents'), '--tool', 'node dist/cli/main.js'], { encoding: 'utf8' });
console.log(stdout);
const bad = /certain and wrong (\d+), silent \d+, failed (\d+), false alarms on healthy (\d+)/.exec(stdout);
process.exit(bad && bad.slice(1).every((count) => count === '0') ? 0 : 1);
