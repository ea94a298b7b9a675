import { fitStart, split, truncate, widthOf } from './pad.ts';

const CLOSING = /^[、。，．：；！？）］｝」』】》〉·…]/u;

interface Token {
  readonly text: string;
  readonly width: number;
  /** A space stood before it. */
  readonly spaced: boolean;
}

/** Breaks at spaces, and between wide characters, which need none. A word wider than the line is cut. */
export function wrap(text: string, width: number): string[] {
  const room = Math.max(1, width);
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const token of tokens(text)) {
    const gap = token.spaced && used > 0 ? 1 : 0;
    if (used + gap + token.width <= room) {
      line += (gap ? ' ' : '') + token.text;
      used += gap + token.width;
      continue;
    }
    if (used > 0) lines.push(line);
    const pieces = cut(token.text, room);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
    used = widthOf(line);
  }
  if (used > 0 || lines.length === 0) lines.push(line);
  return lines;
}

/** Wraps to so many lines at most; the last says with an ellipsis that there was more. */
export function wrapTo(text: string, width: number, limit: number, ellipsis: string): string[] {
  const lines = wrap(text, width);
  if (lines.length <= limit) return lines;
  const last = lines.slice(limit - 1).join(' ');
  return [...lines.slice(0, limit - 1), truncate(last, width, ellipsis)];
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
  for (const match of text.matchAll(/[.!?](?=\s)|[。！？]/gu)) ends.push(match.index + match[0].length);
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

/** Narrow runs stay whole; each wide character stands alone, with closing punctuation kept to what it closes. */
function breakable(word: string): string[] {
  if (widthOf(word) === word.length) return word === '' ? [] : [word];
  const parts: string[] = [];
  let narrow = '';
  for (const grapheme of split(word)) {
    if (widthOf(grapheme) < 2) {
      narrow += grapheme;
      continue;
    }
    if (narrow !== '') parts.push(narrow);
    narrow = '';
    const before = parts.at(-1);
    if (before !== undefined && CLOSING.test(grapheme)) parts[parts.length - 1] = before + grapheme;
    else parts.push(grapheme);
  }
  if (narrow !== '') parts.push(narrow);
  return parts;
}

function cut(text: string, width: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (widthOf(rest) > width) {
    const piece = fitStart(rest, width) || (split(rest)[0] ?? rest);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  if (rest !== '' || pieces.length === 0) pieces.push(rest);
  return pieces;
}
