// What a language still lacks, and what it keeps in vain.
//   npm run translations -- zh                    counts
//   npm run translations -- zh missing [CAUSE…]   English texts without a translation, as JSON to fill in
//   npm run translations -- zh missing-slots      words that causes put into their slots, `{1}` where code puts a value
//   npm run translations -- zh take FILE…         puts filled-in JSON into languages/zh.json
//   npm run translations -- zh prune              drops texts nobody says any more
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadSource } from './load-source.mjs';
import { slotTexts } from './slot-texts.mjs';

const [code, action = 'count', ...rest] = process.argv.slice(2);
if (code === undefined) {
  console.error('translations: name a language, e.g. zh');
  process.exit(2);
}
const file = new URL(`../languages/${code}.json`, import.meta.url);
const known = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { language: code, name: code, frames: {}, texts: {}, slots: {}, plans: {} };
const { catalogue, textsOf, phraseTexts, en } = await loadSource(`
export { catalogue } from './src/causes/catalogue.ts';
export { textsOf, phraseTexts } from './src/reason/texts.ts';
export { en } from './src/text/locales/en.ts';`);

const wantedTexts = new Set([...phraseTexts(), ...catalogue.flatMap(textsOf)]);
/** Words that several causes share stand beside them. */
const SHARED = ['startup-faults.ts'];
/** A long cause has more files than one. */
const filesOf = ({ area, id }) =>
  readdirSync(new URL(`../src/causes/${area}/${id}/`, import.meta.url))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `${area}/${id}/${name}`);
/** What programs print is looked for, not said. */
const printed = new Set(catalogue.flatMap(({ clues }) => Object.values(clues).flatMap(({ line }) => line?.literals ?? [])));
const isPattern = (text) => /\(\?[:<!=]|\[\^|\\[sdw]|[\])]\{\d/.test(text);
const wantedSlots = new Set(
  [...catalogue.flatMap(filesOf), ...SHARED]
    .flatMap((path) => slotTexts(new URL(`../src/causes/${path}`, import.meta.url)))
    .filter((text) => !wantedTexts.has(text) && !printed.has(text) && !isPattern(text)),
);

function write(language) {
  const sorted = (entries) => Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  const frames = Object.fromEntries(Object.keys(en).flatMap((key) => (key in language.frames ? [[key, language.frames[key]]] : [])));
  const whole = {
    language: language.language,
    name: language.name,
    frames,
    texts: sorted(Object.entries(language.texts)),
    slots: sorted(Object.entries(language.slots)),
    plans: sorted(Object.entries(language.plans ?? {})),
  };
  writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`);
}

if (action === 'missing') {
  const chosen = rest.length === 0 ? [...wantedTexts] : catalogue.filter(({ id }) => rest.includes(id)).flatMap(textsOf);
  console.log(
    JSON.stringify(Object.fromEntries([...new Set(chosen)].filter((text) => !(text in known.texts)).map((text) => [text, ''])), null, 2),
  );
} else if (action === 'missing-slots') {
  console.log(
    JSON.stringify(Object.fromEntries([...wantedSlots].filter((text) => !(text in known.slots)).map((text) => [text, ''])), null, 2),
  );
} else if (action === 'take') {
  for (const path of rest) {
    for (const [english, text] of Object.entries(JSON.parse(readFileSync(path, 'utf8')))) {
      if (english in en) known.frames[english] = text;
      else if (wantedTexts.has(english) && text !== '') known.texts[english] = text;
      else if (wantedSlots.has(english) && text !== '') known.slots[english] = text;
      else console.error(`not taken: ${english}`);
    }
  }
  write(known);
} else if (action === 'prune') {
  for (const text of Object.keys(known.texts)) if (!wantedTexts.has(text)) delete known.texts[text];
  for (const text of Object.keys(known.slots)) if (!wantedSlots.has(text)) delete known.slots[text];
  write(known);
}
const missing = [...wantedTexts].filter((text) => !(text in known.texts)).length;
const frames = Object.keys(en).filter((key) => !(key in known.frames)).length;
const slots = [...wantedSlots].filter((text) => !(text in known.slots)).length;
if (!action.startsWith('missing'))
  console.log(
    `${code}: ${missing} of ${wantedTexts.size} texts and ${frames} of ${Object.keys(en).length} frames missing, ${slots} of ${wantedSlots.size} words of slots`,
  );
