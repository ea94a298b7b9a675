import type { FixOutcome, PlanView } from '../../../src/model/plan-view.ts';
import type { Ran } from '../lab.ts';

/** JSON documents printed one after the other, each beginning with a brace in the first column. */
export function documentsOf(text: string): readonly unknown[] {
  return text
    .split(/^(?=\{)/m)
    .filter((part) => part.trim() !== '')
    .map((part): unknown => JSON.parse(part));
}

function lastOf(ran: Ran, what: string): unknown {
  try {
    const last = documentsOf(ran.stdout).at(-1);
    if (typeof last === 'object' && last !== null) return last;
  } catch {
    // Told below, with what was printed instead.
  }
  throw new Error(`${what}: no answer (exit code ${ran.code}): ${lastWords(ran)}`);
}

export function planSaid(ran: Ran): PlanView {
  const plan = lastOf(ran, 'the plan') as PlanView;
  if (!Array.isArray(plan.steps) || !Array.isArray(plan.refused)) throw new Error(`this is no plan: ${lastWords(ran)}`);
  return plan;
}

export function outcomeSaid(ran: Ran): FixOutcome {
  const outcome = lastOf(ran, 'the outcome') as FixOutcome;
  if (typeof outcome.outcome !== 'string') throw new Error(`it said not how it ended (exit code ${ran.code}): ${lastWords(ran)}`);
  return outcome;
}

export function lastWords(ran: Ran): string {
  const lines = (ran.stderr.trim() || ran.stdout.trim()).split('\n');
  return lines.slice(-6).join(' / ').slice(0, 600);
}
