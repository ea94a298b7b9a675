// Prints every verdict with its clues for some evidence: node scripts/verdicts.mjs PATH…
import { loadSource } from './load-source.mjs';

const { collectPaths, diagnoseInDetail, placeName } = await loadSource(`
  export { diagnoseInDetail } from './src/diagnose.ts';
  export { collectPaths } from './src/collect/files.ts';
  export { placeName } from './src/reason/names.ts';`);
const { report, examined } = await diagnoseInDetail(collectPaths(process.argv.slice(2)).documents);
for (const { cause, place, verdict, symptoms } of examined) {
  const how = verdict.confidence ?? verdict.by?.name ?? verdict.message ?? '';
  console.log(`${verdict.kind} ${how}  ${cause.id} at ${placeName(place)}, ${symptoms.length} symptoms`);
  console.log(`    ${verdict.readings.map(({ name, state, clue }) => `${clue.role[0]}:${name}=${state}`).join(' ')}`);
}
for (const { cause, title, confidence, place } of report.incidents) console.log(`${confidence} ${cause} at ${place}: ${title}`);
