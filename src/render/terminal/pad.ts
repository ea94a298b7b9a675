import { isPlain, widthOf } from './width.ts';

export { widthOf } from './width.ts';

/** Scripts and signs in which every character stands for itself: Latin, Cyrillic, punctuation, arrows, CJK, Hangul. */
const SIMPLE =
  /^[\u0020-\u007e\u00a0-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u25ff\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;

let segmenter: Intl.Segmenter | undefined;

/** Made when first needed: most reports never cut a text that is not plain. */
function graphemesOf(text: string): Iterable<{ readonly segment: string }> {
  if (SIMPLE.test(text)) return Array.from(text, (segment) => ({ segment }));
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Left and right on one line, apart as far as the width allows; undefined when they would touch. */
export function spread(left: string, right: string, width: number): string | undefined {
  const gap = width - widthOf(left) - widthOf(right);
  return gap < 2 ? undefined : `${left}${' '.repeat(gap)}${right}`;
}

export function split(text: string): string[] {
  return isPlain(text) ? [...text] : Array.from(graphemesOf(text), (part) => part.segment);
}

/** Takes graphemes from the start while they fit. */
export function fitStart(text: string, width: number): string {
  if (isPlain(text)) return text.slice(0, Math.max(0, width));
  let taken = '';
  let used = 0;
  for (const { segment } of graphemesOf(text)) {
    used += widthOf(segment);
    if (used > width) break;
    taken += segment;
  }
  return taken;
}

export function truncate(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text;
  return `${fitStart(text, width - widthOf(ellipsis)).trimEnd()}${ellipsis}`;
}

/** Takes graphemes from the end while they fit. */
function fitEnd(text: string, width: number): string {
  const reversed = split(text).reverse();
  let taken = '';
  let used = 0;
  for (const segment of reversed) {
    used += widthOf(segment);
    if (used > width) break;
    taken = segment + taken;
  }
  return taken;
}

export function truncateStart(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text;
  return ellipsis + fitEnd(text, width - widthOf(ellipsis));
}

/** Names and errors tell most at their ends, so both stay; `share` of the room goes to the start. */
export function truncateMiddle(text: string, width: number, ellipsis: string, share = 0.5): string {
  if (widthOf(text) <= width) return text;
  const room = Math.max(0, width - widthOf(ellipsis));
  const head = fitStart(text, Math.ceil(room * share));
  return `${head}${ellipsis}${fitEnd(text, room - widthOf(head))}`;
}
