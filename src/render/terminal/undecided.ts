import type { Undecided } from '../../model/report.ts';
import { effects, hitOf } from '../view.ts';
import { openAsks } from './asks.ts';
import { type Context, confidenceWord, contentWidth, section, withRightWord } from './context.ts';
import { flowOfNames } from './flow.ts';
import { hitLines } from './incident.ts';
import { wrapTo } from './wrap.ts';

const OPEN_LINES = 2;

/** First that it is not known, then what would tell. */
export function undecidedBlocks(context: Context, undecided: Undecided): string[][] {
  const blocks = [
    headOf(context, undecided),
    hitLines(context, hitOf(undecided)),
    ...openAsks(context, undecided.asks),
    openLines(context, undecided),
  ];
  return blocks.filter((block) => block.length > 0);
}

function headOf(context: Context, undecided: Undecided): string[] {
  const { clean, color, glyphs, say } = context;
  const width = context.width - 2;
  const says = withRightWord(
    context,
    clean(undecided.says) || say('undecided.alone'),
    confidenceWord(context, 'unknown'),
    width,
    color.bold,
  );
  const hit = wrapTo(clean(effects(hitOf(undecided), say)), width, 2, glyphs.ellipsis).filter((line) => line !== '');
  return [...says.map((line, index) => `${index === 0 ? color.cyan(glyphs.open) : ' '} ${line}`), ...hit.map((line) => `  ${line}`)];
}

function openLines(context: Context, undecided: Undecided): string[] {
  const names = undecided.open.map((open) => open.name);
  const lines = flowOfNames(context, names, names.length, contentWidth(context), context.verbose ? Infinity : OPEN_LINES);
  return section(context, context.say('head.open'), lines);
}
