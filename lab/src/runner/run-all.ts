import type { Lab } from '../lab.ts';
import { holdsWithin } from '../run-command.ts';
import type { Scenario } from '../scenario.ts';
import { type RunSettings, runScenario } from './run-scenario.ts';
import { batches, pooled } from './schedule.ts';
import type { Outcome } from './table.ts';

export interface LabCare {
  /** Whether every node is as it should be before and after a scenario. */
  isHealthy(): Promise<boolean>;
  /** Makes broken nodes anew. */
  heal(): Promise<void>;
  /** Starts the virtual machine, once, for the scenarios that need it. */
  withVm(lab: Lab, work: (lab: Lab) => Promise<readonly Outcome[]>): Promise<readonly Outcome[]>;
}

const PATIENCE_SECONDS = 60;

export async function runAll(
  lab: Lab,
  care: LabCare,
  scenarios: readonly Scenario[],
  jobs: number,
  settings: RunSettings,
): Promise<readonly Outcome[]> {
  const { beside, alone } = batches(scenarios);
  const outcomes = [...(await pooled(beside, jobs, (scenario) => runScenario(lab, scenario, settings)))];
  for (const scenario of alone.filter(({ on }) => on === 'worker-a')) outcomes.push(await runOnNode(lab, care, scenario, settings));
  const onVm = alone.filter(({ on }) => on === 'vm-a');
  if (onVm.length === 0) return outcomes;
  const inVm = async (withVm: Lab): Promise<readonly Outcome[]> => {
    const results: Outcome[] = [];
    for (const scenario of onVm) {
      await forgetThePast(withVm, scenario);
      results.push(await runScenario(withVm, scenario, settings));
    }
    return results;
  };
  return [...outcomes, ...(await care.withVm(lab, inVm))];
}

async function runOnNode(lab: Lab, care: LabCare, scenario: Scenario, settings: RunSettings): Promise<Outcome> {
  if (!(await holdsWithin(PATIENCE_SECONDS, () => care.isHealthy()))) await care.heal();
  await forgetThePast(lab, scenario);
  const outcome = await runScenario(lab, scenario, settings);
  if (settings.keep || (await holdsWithin(PATIENCE_SECONDS, () => care.isHealthy()))) return outcome;
  await care.heal();
  return { ...outcome, problems: [...outcome.problems, 'the node was not healthy again after it was put back; it was made anew'] };
}

/** What an earlier scenario left in the journal is not of this one. */
async function forgetThePast(lab: Lab, scenario: Scenario): Promise<void> {
  await lab.node(scenario.on).exec('journalctl -q --rotate && journalctl -q --vacuum-time=1s');
}
