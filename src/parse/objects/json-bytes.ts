export const TAB = 9;
export const NEWLINE = 10;
export const RETURN = 13;
export const SPACE = 32;
export const QUOTE = 34;
export const COMMA = 44;
export const COLON = 58;
export const OPEN_BRACKET = 91;
export const BACKSLASH = 92;
export const CLOSE_BRACKET = 93;
export const OPEN_BRACE = 123;
export const CLOSE_BRACE = 125;

export const EIGHT_SPACES = Buffer.alloc(8, SPACE).readDoubleBE();

/** Bytes that end a run of plain characters in a string: quotes, escapes, control characters; and those outside of ASCII. */
export const STRING_STOPS = new Uint8Array(256).fill(1, 0, SPACE).fill(1, 128);
STRING_STOPS[QUOTE] = 1;
STRING_STOPS[BACKSLASH] = 1;

/** Bytes of numbers, `true`, `false` and `null`. */
export const LITERAL = new Uint8Array(256);
for (const byte of Buffer.from('+-.0123456789Eaeflnrstu')) LITERAL[byte] = 1;

/** Bytes that matter between brackets; a zero stands after the last byte. */
export const MARKS = new Uint8Array(256);
for (const [byte, mark] of [
  [QUOTE, 1],
  [OPEN_BRACE, 2],
  [OPEN_BRACKET, 2],
  [CLOSE_BRACE, 3],
  [CLOSE_BRACKET, 3],
  [0, 4],
] as const)
  MARKS[byte] = mark;
