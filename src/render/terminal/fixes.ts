import type { Incident, ReportFix } from '../../model/report.ts';
import { nodeNameOf } from '../../text/place.ts';
import { familyName, fixParts, type StepGroup, stepGroups } from '../view.ts';
import { type Context, commandLines, contentWidth, section } from './context.ts';
import { padEnd, spread, widthOf } from './pad.ts';
import { wrap, wrapTo } from './wrap.ts';

const STEP_MARGIN = 4;
const COMMAND_MARGIN = 7;

/** What to look at and the first fix in full; the others by name, until one incident or everything is asked for. */
export function fixBlocks(context: Context, incident: Incident): string[][] {
  const all = context.single || context.verbose;
  const parts = fixParts(incident.fixes);
  const blocks = parts.map(({ fix, part }) => {
    const head = section(context, context.say(`head.${part}`), fixHead(context, fix));
    return part !== 'orFix' || all ? [...head, ...fixSteps(context, fix, incident)] : head;
  });
  const hints = [
    ...(parts.some(({ fix, part }) => part === 'orFix' && fix.steps.length > 0)
      ? [context.say('more.fixes', { number: incident.number })]
      : []),
    ...(incident.fixes.some((fix) => fix.changes !== undefined) ? [context.say('more.tool', { number: incident.number })] : []),
  ];
  const hint =
    hints.length > 0
      ? section(
          context,
          '',
          hints.flatMap((words) => wrap(words, contentWidth(context)).map(context.color.dim)),
        )
      : [];
  return all ? blocks : [[...blocks.flat(), ...hint]];
}

function fixHead(context: Context, fix: ReportFix): string[] {
  const { clean, color, say, glyphs } = context;
  const width = contentWidth(context);
  const risk = say(`risk.${fix.risk}`);
  const paint = fix.risk === 'may-lose-data' ? color.red : fix.risk === 'reads-only' ? color.dim : (words: string) => words;
  const title = clean(fix.title);
  const joined = `${title} (${risk})`;
  if (widthOf(joined) <= width) return [`${color.bold(title)} ${paint(`(${risk})`)}`];
  return [...wrapTo(title, width, 2, glyphs.ellipsis).map(color.bold), paint(`(${risk})`)];
}

function fixSteps(context: Context, fix: ReportFix, incident: Incident): string[] {
  const groups = stepGroups(fix);
  let on: StepGroup['on'];
  const lines = groups.flatMap((group, index) => {
    const moved = group.on === 'node' ? on !== 'node' : group.on === 'cluster' && on === 'node';
    on = group.on ?? on;
    return stepLines(context, group, index + 1, moved ? whereWords(context, group.on, incident) : '');
  });
  if (fix.verified === undefined) return lines;
  const verified = wrapTo(
    context.say('fix.verified', { condition: context.clean(fix.verified) }),
    context.width - COMMAND_MARGIN,
    3,
    context.glyphs.ellipsis,
  );
  return [
    ...lines,
    ...verified.map((line, index) => `    ${index === 0 ? context.color.dim(padEnd(context.glyphs.arrow, 3)) : '   '}${line}`),
  ];
}

function whereWords(context: Context, on: 'node' | 'cluster' | undefined, incident: Incident): string {
  if (on !== 'node') return context.say('fix.anywhere');
  const node = nodeNameOf(incident.placeId);
  return node === undefined ? context.say('fix.onTheNode') : context.say('fix.onNode', { node: context.clean(node) });
}

function stepLines(context: Context, group: StepGroup, number: number, where: string): string[] {
  const { clean, color } = context;
  const width = context.width - COMMAND_MARGIN;
  const says = clean(group.say);
  const lead = `${' '.repeat(STEP_MARGIN)}${padEnd(String(number), COMMAND_MARGIN - STEP_MARGIN)}`;
  const beside = spread(says, color.dim(where), width);
  const body = where !== '' && beside !== undefined ? [beside] : [...wrap(says, width), ...(where === '' ? [] : [color.dim(where)])];
  return [...body.map((line, index) => (index === 0 ? lead : ' '.repeat(COMMAND_MARGIN)) + line), ...variantLines(context, group)];
}

function variantLines(context: Context, group: StepGroup): string[] {
  const { clean, color, say } = context;
  const names = group.variants.map((variant) => (variant.family === undefined ? '' : clean(familyName(variant.family, say))));
  const column = Math.max(...names.map(widthOf), 0);
  const margin = ' '.repeat(COMMAND_MARGIN);
  const beside = group.variants.every(
    (variant) => !variant.command.includes('\n') && COMMAND_MARGIN + column + 2 + widthOf(variant.command) <= context.width,
  );
  return group.variants.flatMap((variant, index) => {
    const name = names[index] ?? '';
    const command = commandLines(context, variant.command, COMMAND_MARGIN);
    if (name === '') return command;
    if (!beside) return [`${margin}${color.dim(name)}`, ...command];
    return [`${margin}${color.dim(padEnd(name, column))}  ${command.join('').trimStart()}`];
  });
}
