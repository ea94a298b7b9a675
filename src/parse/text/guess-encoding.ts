/** How the bytes above ASCII are arranged, counted in one pass over a sample. */
interface Shape {
  high: number;
  runs: number;
  /** Bytes 0xC0–0xFF, where windows-1251 has its letters. */
  letters: number;
  /** Runs read as pairs of 0xA1–0xFE, the plane that GB2312, EUC-KR and EUC-JP share. */
  pairs: number;
  /** Pairs in the rows of common Chinese characters and punctuation. */
  common: number;
  hangul: number;
  kana: number;
}

const SAMPLE = 256 * 1024;

/** The likeliest of the encodings used before UTF-8; undefined if the bytes fit none of them. */
export function guessLegacyEncoding(bytes: Uint8Array): string | undefined {
  const sample = takeSample(bytes);
  const shape = measure(sample);
  if (shape.high === 0) return undefined;
  if (looksLikeShiftJis(sample, shape.high)) return 'shift_jis';
  const paired = shape.pairs >= 2 && shape.pairs * 2 >= shape.high * 0.9;
  if (paired && shape.kana > shape.pairs * 0.3) return 'euc-jp';
  if (paired && shape.hangul >= shape.pairs * 0.9) return 'euc-kr';
  if (paired && shape.common >= shape.pairs * 0.6) return 'gb18030';
  if (shape.letters >= shape.high * 0.8 && shape.high >= shape.runs * 2.5) return 'windows-1251';
  const scattered = shape.high <= shape.runs * 1.6 && shape.high <= sample.length * 0.3;
  return scattered && hasLatinLetter(sample) ? 'windows-1252' : undefined;
}

/** Starts where the first byte above ASCII stands: evidence often begins with pages of English. */
function takeSample(bytes: Uint8Array): Uint8Array {
  const first = Math.max(
    0,
    bytes.findIndex((byte) => byte >= 0x80),
  );
  const lineStart = bytes.lastIndexOf(0x0a, first) + 1;
  return bytes.subarray(lineStart, lineStart + SAMPLE);
}

function measure(sample: Uint8Array): Shape {
  const shape: Shape = { high: 0, runs: 0, letters: 0, pairs: 0, common: 0, hangul: 0, kana: 0 };
  let index = 0;
  while (index < sample.length) {
    if ((sample[index] ?? 0) < 0x80) {
      index += 1;
      continue;
    }
    let end = index;
    while (end < sample.length && (sample[end] ?? 0) >= 0x80) end += 1;
    shape.runs += 1;
    shape.high += end - index;
    measureRun(sample, index, end, shape);
    index = end;
  }
  return shape;
}

function measureRun(sample: Uint8Array, start: number, end: number, shape: Shape): void {
  for (let index = start; index < end; index += 1) {
    if ((sample[index] ?? 0) >= 0xc0) shape.letters += 1;
  }
  for (let index = start; index + 1 < end; index += 2) {
    const lead = sample[index] ?? 0;
    const trail = sample[index + 1] ?? 0;
    if (lead < 0xa1 || lead > 0xfe || trail < 0xa1 || trail > 0xfe) continue;
    shape.pairs += 1;
    if (lead <= 0xa3 || lead === 0xa9 || (lead >= 0xb0 && lead <= 0xd7)) shape.common += 1;
    if (lead >= 0xb0 && lead <= 0xc8) shape.hangul += 1;
    if (lead === 0xa4 || lead === 0xa5) shape.kana += 1;
  }
}

/** Shift_JIS leads lie at 0x81–0x9F, which the other encodings leave empty, and its trails may be ASCII. */
function looksLikeShiftJis(sample: Uint8Array, high: number): boolean {
  let kana = 0;
  let low = 0;
  let pairs = 0;
  let broken = 0;
  for (let index = 0; index < sample.length; index += 1) {
    const lead = sample[index] ?? 0;
    if (lead < 0x80 || (lead >= 0xa1 && lead <= 0xdf)) continue;
    const trail = sample[index + 1] ?? 0;
    const valid = lead !== 0x80 && lead !== 0xa0 && lead <= 0xfc && trail >= 0x40 && trail <= 0xfc && trail !== 0x7f;
    if (!valid) {
      broken += 1;
      continue;
    }
    pairs += 1;
    index += 1;
    if (lead <= 0x9f) low += 1;
    if ((lead === 0x82 && trail >= 0x9f) || (lead === 0x83 && trail <= 0x96)) kana += 1;
  }
  if (pairs < 2 || broken > pairs * 0.1) return false;
  return kana * 2 >= high * 0.2 || low * 2 >= high * 0.5;
}

function hasLatinLetter(sample: Uint8Array): boolean {
  return sample.some((byte) => byte >= 0xa0 && byte <= 0xfd);
}
