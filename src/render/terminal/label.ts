import type { Context } from './context.ts';
import { truncate, truncateStart, widthOf } from './pad.ts';

const PATH_PARTS_TRIED = 12;

/** A label that fits: first a pointer loses its end, then a path its start; the file's name and the line stay longest. */
export function shortLabel(context: Context, label: string, width: number): string {
  const { ellipsis } = context.glyphs;
  const whole = context.clean(label);
  if (widthOf(whole) <= width) return whole;
  const hash = whole.indexOf('#/');
  if (hash > 0) {
    const item = `${whole.slice(0, hash + 1)}/${whole
      .slice(hash + 2)
      .split('/')
      .slice(0, 2)
      .join('/')}/${ellipsis}`;
    return widthOf(item) <= width ? item : truncate(whole, width, ellipsis);
  }
  const parts = whole.split('/');
  const from = Math.max(1, parts.length - PATH_PARTS_TRIED);
  for (let start = from; start < parts.length; start++) {
    const shorter = `${ellipsis}/${parts.slice(start).join('/')}`;
    if (widthOf(shorter) <= width) return shorter;
  }
  return truncateStart(whole, width, ellipsis);
}
