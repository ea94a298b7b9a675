import type { FixOutcome, PlannedStep, PlanView } from '../model/plan-view.ts';
import { type Context, commandLines, contentWidth, createContext, section, type TerminalOptions } from './terminal/context.ts';
import { padEnd, widthOf } from './terminal/pad.ts';
import { wrap } from './terminal/wrap.ts';

/** A plan for a terminal: what would be done, where, at which risk, and how it is taken back. */
export function renderPlan(plan: PlanView, options: TerminalOptions): string {
  const context = createContext(options);
  const { clean, color, say, glyphs } = context;
  const head = [
    `${color.bold(clean(plan.title))}`,
    `  ${color.dim([clean(plan.place), plan.cause, say('plan.risk', { risk: say(`risk.${plan.risk}`) })].join(` ${glyphs.dot} `))}`,
  ];
  const where = new Set(plan.steps.map((step) => step.where));
  const blocks = [
    head,
    said(context, say('plan.cannot'), plan.refused, color.red),
    said(context, say('plan.careful'), plan.warnings, color.yellow),
    said(context, say('plan.belongs'), plan.belongs, color.yellow),
    ...plan.steps.map((step, index) => stepBlock(context, step, index + 1, where.size > 1)),
    byHand(context, plan),
    said(context, say('head.hits'), plan.affected),
    said(context, say('plan.proof'), [plan.verified]),
    plan.exact === undefined ? [] : section(context, say('plan.exact'), [color.cyan(clean(plan.exact))]),
    plan.next === undefined ? [] : section(context, say('plan.do'), [say('plan.shownOnly'), color.cyan(clean(plan.next))]),
  ];
  return print(blocks);
}

function print(blocks: readonly (readonly string[])[]): string {
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.map((line) => line.trimEnd()).join('\n'))
    .join('\n\n')}\n`;
}

function said(context: Context, heading: string, lines: readonly string[], paint: (line: string) => string = (line) => line): string[] {
  return section(
    context,
    heading,
    lines.flatMap((line) => wrap(context.clean(line), contentWidth(context)).map(paint)),
  );
}

function stepBlock(context: Context, step: PlannedStep, number: number, manyPlaces: boolean): string[] {
  const { clean, color, say } = context;
  const title = `${clean(step.says)}${manyPlaces || step.on === 'host' ? color.dim(`  ${clean(step.where)}`) : ''}`;
  const room = contentWidth(context);
  const more = [say('plan.risk', { risk: say(`risk.${step.risk}`) }), say('plan.undo', { undo: clean(step.undo) })].flatMap((line) =>
    wrap(line, room).map(color.dim),
  );
  return section(context, `${number}`, [
    title,
    ...step.diff.flatMap((line) => diffLine(context, line)),
    ...more,
    ...step.notes.flatMap((note) => wrap(clean(note), room).map(color.yellow)),
  ]);
}

function diffLine(context: Context, line: string): string[] {
  const shown = context.cleanCommand(line)[0] ?? '';
  if (shown.startsWith('+') && !shown.startsWith('+++')) return [context.color.green(shown)];
  if (shown.startsWith('-') && !shown.startsWith('---')) return [context.color.red(shown)];
  return [context.color.dim(shown)];
}

function byHand(context: Context, { byHand: steps }: PlanView): string[] {
  if (steps.length === 0) return [];
  const lines = steps.flatMap(({ say, command }) => [
    ...wrap(context.clean(say), contentWidth(context)),
    ...(command === undefined ? [] : commandLines(context, command, 2)),
  ]);
  return section(context, context.say('plan.byHand'), lines);
}

const GOOD: ReadonlySet<FixOutcome['outcome']> = new Set(['fixed', 'undone']);

/** How a fix, a verification or an undo ended: the word first, then before and after. */
export function renderOutcome(outcome: FixOutcome, options: TerminalOptions): string {
  const context = createContext(options);
  const { clean, color, glyphs, say } = context;
  const paint = GOOD.has(outcome.outcome) ? color.green : outcome.outcome === 'unknown' ? color.cyan : color.red;
  const mark = GOOD.has(outcome.outcome) ? glyphs.good : glyphs.bullet;
  const head = `${paint(mark)} ${color.bold(paint(say(`outcome.${outcome.outcome}`).toLocaleUpperCase(say.language)))}  ${clean(outcome.says)}`;
  const width = Math.max(0, ...outcome.changed.map(({ what }) => widthOf(clean(what))));
  const changed = outcome.changed.map(
    ({ what, before, after }) => `${padEnd(clean(what), width)}  ${color.dim(clean(before))} ${glyphs.arrow} ${clean(after)}`,
  );
  return print([
    wrap(head, context.width),
    section(
      context,
      say('plan.steps'),
      outcome.steps.map(({ where, says, state }) => `${padEnd(state, 11)} ${clean(says)} ${color.dim(clean(where))}`),
    ),
    section(context, say('plan.changed'), changed),
    outcome.next === undefined ? [] : section(context, say('plan.back'), [color.cyan(clean(outcome.next))]),
  ]);
}
