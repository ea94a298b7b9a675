// Pages of a list through the project's own door to a cluster, counted by nothing but their frames: for the proof that the page
// server speaks as API servers do. KUBECONFIG=… node bench/live/list-pages.mjs PATH…
import { loadSource } from '../../scripts/load-source.mjs';

function varintAt(bytes, at) {
  let value = 0;
  for (let shift = 1; ; shift *= 128) {
    const byte = bytes[at++];
    value += (byte & 127) * shift;
    if (byte < 128) return [value, at];
  }
}

/** Length-delimited fields of a message, one level deep; the messages here have no others on top. */
function* fieldsIn(bytes) {
  for (let at = 0; at < bytes.length; ) {
    const [tag, after] = varintAt(bytes, at);
    const [length, start] = varintAt(bytes, after);
    yield [tag >> 3, bytes.subarray(start, start + length)];
    at = start + length;
  }
}

function itemsIn({ encoding, bytes }) {
  if (encoding === 'json') return JSON.parse(Buffer.from(bytes).toString()).items.length;
  const raw = [...fieldsIn(bytes.subarray(4))].find(([field]) => field === 2)[1];
  return [...fieldsIn(raw)].filter(([field]) => field === 2).length;
}

const { openCluster } = await loadSource("export { openCluster } from './src/collect/cluster/access.ts';");
const port = await openCluster({});
const counts = {};
for (const path of process.argv.slice(2)) {
  for (const json of [false, true]) {
    let items = 0;
    const encodings = new Set();
    for await (const page of port.pages({ path, ...(json ? { json } : {}) })) {
      items += itemsIn(page);
      encodings.add(page.encoding);
    }
    counts[`${path} ${[...encodings]}`] = items;
  }
}
port.close();
console.log(JSON.stringify(counts));
