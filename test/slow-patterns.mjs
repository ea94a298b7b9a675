// Which known lines can be made slow? Prints them as JSON. A process of its own with one thread: only so does
// `cpuUsage` mean this work alone, whatever else the machine does. The catalogue's patterns, or one given as SOURCE LITERAL.
import { loadSource } from '../scripts/load-source.mjs';

const LARGE = 16 * 1024;
/** As long as the scanner takes a line. */
const LARGEST = 64 * 1024;
/** What costs less at `LARGE` cannot hold anybody up at four times its length. */
const HARMLESS_MS = 20;
/** More for one line would be felt; a pattern that is linear takes a fifth of it. */
const LONGEST_MS = 500;
const TRIES = 5;
/** No machine is so busy that trying again would help. */
const FAR_BEYOND = 2;
const FILLERS = [' ', 'a', '"', '\\"', ': ', 'a ', '[', '/', '0', 'not found ', 'image "x": ', '\t', '.', '-', 'é'];

const fill = (text, size) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
const SHAPES = [
  (literal, size) => fill(`${literal} `, size),
  ...FILLERS.flatMap((filler) => [
    (literal, size) => literal + fill(filler, size),
    (literal, size) => fill(filler, size) + literal,
    (literal, size) => fill(filler, size / 2) + literal + fill(filler, size / 2),
  ]),
];

function cost(pattern, text) {
  const before = process.cpuUsage();
  pattern.exec(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function staysBelow(limit, pattern, text) {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const spent = cost(pattern, text);
    if (spent < limit) return true;
    if (spent > FAR_BEYOND * limit) return false;
  }
  return false;
}

async function specsOf([source, literal]) {
  if (source) return [{ id: 'given', pattern: new RegExp(source), literals: [literal] }];
  const { catalogue, linesOf } = await loadSource(`
export { catalogue } from './src/causes/catalogue.ts';
export { linesOf } from './src/reason/lines.ts';`);
  return linesOf(catalogue);
}

let measured = 0;
const slow = [];
for (const { id, pattern, literals } of await specsOf(process.argv.slice(2))) {
  if (pattern === undefined) continue;
  const bare = new RegExp(pattern, pattern.flags.replace(/[gy]/g, ''));
  for (const literal of literals) {
    for (const [shape, make] of SHAPES.entries()) {
      measured++;
      if (staysBelow(HARMLESS_MS, bare, make(literal, LARGE))) continue;
      if (staysBelow(LONGEST_MS, bare, make(literal, LARGEST))) continue;
      slow.push(`${id}: ${literal.slice(0, 40)} in shape ${shape}`);
      break;
    }
  }
}
process.stdout.write(JSON.stringify({ measured, slow }));
