// Reads the pages of `make-pages.mjs`, each with names of its own: node bench/read-pages.mjs json|protobuf|parse FOLDER PAGES READER
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [way, folder, count, module] = process.argv.slice(2);
const encoding = way === 'protobuf' ? 'protobuf' : 'json';
const templates = Array.from({ length: 10 }, (_, number) =>
  template(readFileSync(join(folder, `${number}.${encoding === 'json' ? 'json' : 'pb'}`))),
);

function template(bytes) {
  const places = [];
  for (let at = bytes.indexOf('#####'); at >= 0; at = bytes.indexOf('#####', at + 5)) places.push(at);
  return { bytes, places };
}

/** A fresh body each time, as from a server. */
function body(number) {
  const { bytes, places } = templates[number % templates.length];
  const copy = Buffer.from(bytes);
  const digits = Buffer.from(String(10_000 + number));
  for (const at of places) copy.set(digits, at);
  return copy;
}

async function* pages() {
  for (let number = 0; number < Number(count); number++) yield { encoding, bytes: body(number) };
}

let facts = 0;
let pods = 0;
if (way === 'parse') for await (const { bytes } of pages()) pods += JSON.parse(bytes.toString()).items.length;
else {
  const { createReader } = await import(module);
  const reader = createReader([], {});
  await reader.read([{ name: 'cluster/pods.json', size: 0, takenAt: Date.UTC(2025, 5, 11, 5), pages }]);
  const { evidence } = reader.result();
  facts = evidence.facts.length;
  for (const { kind } of evidence.facts) if (kind === 'pod.status') pods++;
}
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
console.log(JSON.stringify({ pods, facts, cpu: (userCPUTime + systemCPUTime) / 1e6, megabytes: Math.round(maxRSS / 1024) }));
