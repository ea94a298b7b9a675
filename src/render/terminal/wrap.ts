import { fitStart, split, truncate, widthOf } from './pad.ts';

/** A line must not start with these; those of code only where they follow a wide character, since words are cut anywhere. */
const CLOSING = /^[、。，．：；！？）］｝」』】》〉〕〗～’”»›]/u;
const CLOSING_IN_CODE = /^[,.:;!?)\]}%…·‥—]/u;
/** Nor end with these. */
const OPENING = /^[（［｛「『【《〈〔〖([{‘“«‹]$/u;

interface Token {
  readonly text: string;
  readonly width: number;
  /** A space stood before it. */
  readonly spaced: boolean;
}

interface Line {
  readonly text: string;
  /** The break before it took the place of a space. */
  readonly spaced: boolean;
}

/** Breaks at spaces, and between wide characters, which need none. A word wider than the line is cut. */
export function wrap(text: string, width: number): string[] {
  return linesOf(text, width).map((line) => line.text);
}

function linesOf(text: string, width: number): Line[] {
  const room = Math.max(1, width);
  const lines: Line[] = [];
  let line = '';
  let used = 0;
  let spaced = false;
  for (const token of tokens(text)) {
    const gap = token.spaced && used > 0 ? 1 : 0;
    if (used + gap + token.width <= room) {
      line += (gap ? ' ' : '') + token.text;
      used += gap + token.width;
      continue;
    }
    if (used > 0) {
      lines.push({ text: line, spaced });
      spaced = token.spaced;
    }
    const pieces = cut(token.text, room);
    for (const piece of pieces.slice(0, -1)) {
      lines.push({ text: piece, spaced });
      spaced = false;
    }
    line = pieces.at(-1) ?? '';
    used = widthOf(line);
  }
  if (used > 0 || lines.length === 0) lines.push({ text: line, spaced });
  return lines;
}

/** Wraps to so many lines at most; the last says with an ellipsis that there was more. */
export function wrapTo(text: string, width: number, limit: number, ellipsis: string): string[] {
  const lines = linesOf(text, width);
  const shown = lines.slice(0, lines.length <= limit ? limit : limit - 1).map((line) => line.text);
  if (lines.length <= limit) return shown;
  const rest = lines.slice(limit - 1).reduce((joined, line) => joined + (line.spaced ? ' ' : '') + line.text, '');
  return [...shown, truncate(rest.trimStart(), width, ellipsis)];
}

const FIRST_SENTENCE_LINES = 2;

/** As many whole sentences as fit, and at least the first, with two lines more for it before it is cut. */
export function wrapSentences(text: string, width: number, limit: number, ellipsis: string): string[] {
  const whole = wrap(text, width);
  if (whole.length <= limit) return whole;
  let best: string[] | undefined;
  for (const end of sentenceEnds(text)) {
    const lines = wrap(text.slice(0, end).trim(), width);
    if (lines.length > limit) break;
    best = lines;
  }
  return best ?? wrapTo(text.slice(0, sentenceEnds(text)[0]), width, limit + FIRST_SENTENCE_LINES, ellipsis);
}

function sentenceEnds(text: string): number[] {
  const ends: number[] = [];
  for (const match of text.matchAll(/[.!?](?=\s)|[。！？][”’」』）]{0,3}/gu)) ends.push(match.index + match[0].length);
  return ends;
}

function tokens(text: string): Token[] {
  const found: Token[] = [];
  let spaced = false;
  for (const word of text.split(/ +/)) {
    for (const part of breakable(word)) {
      found.push({ text: part, width: widthOf(part), spaced });
      spaced = false;
    }
    spaced = true;
  }
  return found;
}

/** Narrow runs stay whole; wide characters stand alone, but for punctuation, which stays with what it opens or closes. */
function breakable(word: string): string[] {
  if (widthOf(word) === word.length) return word === '' ? [] : [word];
  const parts: string[] = [];
  let part = '';
  let before = '';
  for (const grapheme of split(word)) {
    const touchesWide = widthOf(grapheme) > 1 || widthOf(before) > 1;
    if (part !== '' && touchesWide && !isClosing(grapheme) && !OPENING.test(before)) {
      parts.push(part);
      part = '';
    }
    part += grapheme;
    before = grapheme;
  }
  return [...parts, part];
}

function isClosing(grapheme: string): boolean {
  return CLOSING.test(grapheme) || CLOSING_IN_CODE.test(grapheme);
}

function cut(text: string, width: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (widthOf(rest) > width) {
    const piece = beforeClosing(rest, fitStart(rest, width) || (split(rest)[0] ?? rest));
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  if (rest !== '' || pieces.length === 0) pieces.push(rest);
  return pieces;
}

/** The piece without its end where what follows would start a line with closing punctuation. */
function beforeClosing(text: string, piece: string): string {
  if (!CLOSING.test(text.slice(piece.length))) return piece;
  const kept = split(piece);
  while (kept.length > 1) {
    const last = kept.pop() ?? '';
    if (!CLOSING.test(last)) return kept.join('');
  }
  return piece;
}
