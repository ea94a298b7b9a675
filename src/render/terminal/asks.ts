import type { Ask } from '../../model/report.ts';
import { ANYWHERE } from '../view.ts';
import { type Context, commandLines } from './context.ts';
import { wrapTo } from './wrap.ts';

const MARGIN = 4;

/** What would make a verdict certain, grouped by where to run it. */
export function certaintyAsks(context: Context, asks: readonly Ask[]): string[] {
  let where: string | undefined;
  return asks.slice(0, context.limits.asks).flatMap((ask) => {
    const heading = ask.where === where ? [] : [`  ${certaintyHeading(context, ask.where)}`];
    where = ask.where;
    return [...heading, ...askLines(context, ask)];
  });
}

function certaintyHeading(context: Context, where: string): string {
  const { say, clean } = context;
  return where === ANYWHERE ? say('ask.certain') : say('ask.certainOn', { node: clean(where) });
}

/** What would tell most where nothing is known, one after the other. */
export function openAsks(context: Context, asks: readonly Ask[]): string[][] {
  return asks.slice(0, context.limits.asks).map((ask, index) => [`  ${openHeading(context, ask.where, index)}`, ...askLines(context, ask)]);
}

function openHeading(context: Context, where: string, index: number): string {
  const { say, clean, color } = context;
  const node = clean(where);
  if (index > 0) return where === ANYWHERE ? say('ask.next') : say('ask.nextOn', { node });
  return color.bold(where === ANYWHERE ? say('ask.first') : say('ask.firstOn', { node }));
}

function askLines(context: Context, ask: Ask): string[] {
  const tells = wrapTo(context.clean(ask.tells), context.width - MARGIN - 2, 2, context.glyphs.ellipsis);
  return [...commandLines(context, ask.command, MARGIN), ...tells.map((line) => `      ${context.color.dim(line)}`)];
}
