const ESC = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);
const CSI = String.fromCharCode(0x9b);

/** Terminal sequences that end properly: CSI, and OSC/DCS/APC/PM/SOS strings. Each scan stops at the next escape. */
const SEQUENCES = new RegExp(
  [
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*[@-~]`,
    `${ESC}[\\]PX^_][^${ESC}${BELL}]*(?:${BELL}|${ESC}\\\\)`,
    `${ESC}[ -/]+[0-~]`,
    `${ESC}[0-OQ-WYZ\\\\\`-~]`,
  ].join('|'),
  'g',
);

const SPACES = /[\t\v\f\u0085\u2028\u2029]/g;
/** Characters that show nothing and change how others show: controls, bidirectional marks, invisible ones, tags. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being removed
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\u034f|[\u{e0000}-\u{e007f}]/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;
const NEWLINES = /\r\n?|\n/g;

/** Text of several lines that can do nothing but be read. */
export function inertLines(text: string): string {
  return text.replace(SEQUENCES, '').replace(NEWLINES, '\n').replace(SPACES, ' ').replace(INVISIBLE, '').replace(LONE_SURROGATE, '\ufffd');
}

/** The same on one line. */
export function inert(text: string): string {
  return inertLines(text).replace(/\n+/g, ' ');
}

/** Every string within a plain value made inert; line breaks and tabs stay. */
export function inertDeep(value: unknown): unknown {
  if (typeof value === 'string') return value.split('\t').map(inertLines).join('\t');
  if (Array.isArray(value)) return value.map(inertDeep);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [inert(key), inertDeep(inner)]));
}
