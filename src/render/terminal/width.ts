const PLAIN = /^[\u0020-\u007e]*$/;
const INVISIBLE = /[\p{Mn}\p{Me}\p{Cf}]/u;
const ESCAPE = String.fromCharCode(27);
/** Our own colours take no column; nothing else of the kind reaches a renderer. */
const COLOUR = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');
const ZERO_WIDTH_JOINER = 0x200d;

/** First and last code points that take two columns: CJK, Hangul, full-width forms, emoji. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x26a1, 0x26a1],
  [0x2705, 0x2705],
  [0x274c, 0x274c],
  [0x2753, 0x2757],
  [0x2795, 0x2797],
  [0x27b0, 0x27b0],
  [0x2b50, 0x2b50],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1b000, 0x1b2ff],
  [0x1f004, 0x1f004],
  [0x1f0cf, 0x1f0cf],
  [0x1f18e, 0x1f19a],
  [0x1f200, 0x1f320],
  [0x1f32d, 0x1f335],
  [0x1f337, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f7e0, 0x1f7eb],
  [0x1f900, 0x1faff],
  [0x20000, 0x3fffd],
];

export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/**
 * Columns a text takes on a terminal. Written here because the library for it builds its tables at load time,
 * which costs as much as a whole diagnosis.
 */
export function widthOf(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  let joined = false;
  for (const character of text.includes(ESCAPE) ? text.replace(COLOUR, '') : text) {
    const code = character.codePointAt(0) ?? 0;
    if (!joined) width += columnsOf(code, character);
    joined = code === ZERO_WIDTH_JOINER;
  }
  return width;
}

function columnsOf(code: number, character: string): number {
  if (code < 0x300) return code < 32 || (code >= 127 && code < 160) ? 0 : 1;
  if (INVISIBLE.test(character)) return 0;
  let low = 0;
  let high = WIDE.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = WIDE[middle] as readonly [number, number];
    if (code < first) high = middle - 1;
    else if (code > last) low = middle + 1;
    else return 2;
  }
  return 1;
}
