// Real incidents, scored: the floors of the project. Nothing may be certain and wrong, crash, or cry wolf.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const FLOORS = { first: 92, three: 97, fix: 85 };
const shared = process.argv[2];
const { stdout } = spawnSync('node', [join(shared, 'score/score.mjs'), '--cases', join(shared, 'incidents'), '--tool', 'node dist/cli/main.js'], {
  encoding: 'utf8',
});
console.log(stdout);
const bad = /certain and wrong (\d+), silent \d+, failed (\d+), false alarms on healthy (\d+)/.exec(stdout);
const reached =
  /^all\s+first \d+\/\d+ \((?<first>\d+) %\), in three \d+\/\d+ \((?<three>\d+) %\), right fix \d+\/\d+ \((?<fix>\d+) %\)/m.exec(stdout)?.groups ?? {};
const low = Object.entries(FLOORS).filter(([name, floor]) => !(Number(reached[name]) >= floor));
for (const [name, floor] of low) console.log(`${name}: ${reached[name] ?? 'nothing'} %, at least ${floor} % is needed`);
process.exit(bad?.slice(1).every((count) => count === '0') && low.length === 0 ? 0 : 1);
