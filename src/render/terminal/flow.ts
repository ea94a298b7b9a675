import type { Context } from './context.ts';
import { truncateMiddle, widthOf } from './pad.ts';

/** Names one after the other, as many as fit into so many lines, and how many there are besides. */
export function flowOfNames(context: Context, names: readonly string[], total: number, width: number, limit: number): string[] {
  const { clean, color, glyphs, say } = context;
  const separator = ` ${glyphs.dot} `;
  const lines: string[] = [];
  let line = '';
  let shown = 0;
  for (const given of names) {
    const name = truncateMiddle(clean(given), width, glyphs.ellipsis);
    const joined = line === '' ? name : line + separator + name;
    const left = total - shown - 1;
    const isLast = lines.length === limit - 1;
    const tail = left > 0 && isLast ? widthOf(separator + say('more.count', { count: left })) : 0;
    if (line !== '' && widthOf(joined) + tail > width) {
      if (isLast) break;
      lines.push(line);
      line = name;
    } else {
      line = joined;
    }
    shown++;
  }
  if (line !== '') lines.push(line);
  if (shown >= total || lines.length === 0) return lines;
  const more = say('more.count', { count: total - shown });
  const last = lines.at(-1) ?? '';
  if (widthOf(last + separator + more) > width) return [...lines, color.dim(more)];
  return [...lines.slice(0, -1), `${last}${separator}${color.dim(more)}`];
}
