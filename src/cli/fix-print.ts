import type { FixOutcome, PlanView } from '../model/plan-view.ts';
import { renderOutcome, renderPlan } from '../render/plan.ts';
import type { Language } from '../text/language.ts';
import { languageFor } from './language.ts';
import { write } from './output.ts';
import { screen } from './screen.ts';

export interface PrintFlags {
  readonly output: string;
  readonly width?: number;
  readonly color: boolean;
  readonly lang?: string;
}

/** JSON stays English and whole, so that scripts read the same everywhere. */
export async function printPlan(view: PlanView, flags: PrintFlags): Promise<void> {
  if (flags.output === 'json') return write(`${JSON.stringify(view, null, 2)}\n`);
  const language = languageFor(flags);
  await write(renderPlan(planIn(view, language), { ...screen(process.stdout, flags), verbose: false, say: language.say }));
}

export async function printOutcome(outcome: FixOutcome, flags: PrintFlags, plan?: PlanView): Promise<void> {
  if (flags.output === 'json') return write(`${JSON.stringify(plan === undefined ? outcome : { ...outcome, plan }, null, 2)}\n`);
  const language = languageFor(flags);
  const text = renderOutcome(outcomeIn(outcome, language), { ...screen(process.stdout, flags), verbose: false, say: language.say });
  await write(plan === undefined ? text : `\n${text}`);
}

function planIn(view: PlanView, { translate }: Language): PlanView {
  const all = (lines: readonly string[]) => lines.map(translate);
  return {
    ...view,
    title: translate(view.title),
    place: translate(view.place),
    steps: view.steps.map((step) => ({ ...step, says: translate(step.says), undo: translate(step.undo), notes: all(step.notes) })),
    byHand: view.byHand.map((step) => ({ ...step, say: translate(step.say) })),
    affected: all(view.affected),
    belongs: all(view.belongs),
    warnings: all(view.warnings),
    refused: all(view.refused),
    verified: translate(view.verified),
  };
}

function outcomeIn(outcome: FixOutcome, { translate }: Language): FixOutcome {
  return {
    ...outcome,
    says: translate(outcome.says),
    steps: outcome.steps.map((step) => ({ ...step, says: translate(step.says) })),
    changed: outcome.changed.map((one) => ({ ...one, before: translate(one.before), after: translate(one.after) })),
  };
}
