import type { Lab, LabNode } from '../lab.ts';
import { holdsWithin } from '../run-command.ts';
import type { Scenario } from '../scenario.ts';
import { isLate, type RunSettings, runScenario } from './run-scenario.ts';
import { lanes, pooled } from './schedule.ts';
import { type Outcome, skipped } from './table.ts';

type Outcomes = readonly Outcome[];

export interface LabCare {
  /** Whether every node is as it should be before and after a scenario. */
  isHealthy(): Promise<boolean>;
  /** Imports images that went missing: the kubelet throws them away when a disk is full. */
  loadImages(node: string): Promise<void>;
  /** Makes broken nodes anew. */
  heal(): Promise<void>;
  /** Takes away what an earlier run left: the virtual machine, which would be a third node, and the journals of the others. */
  clearUp(): Promise<void>;
  /** Boots the virtual machine; the cluster does not know it yet. */
  bootVm(): Promise<void>;
  /** Lets the virtual machine join the cluster, boots it before if need be, and ends it after the work. */
  withVm(lab: Lab, work: (lab: Lab) => Promise<Outcomes>): Promise<Outcomes>;
}

const PATIENCE_SECONDS = 60;

export async function runAll(
  lab: Lab,
  care: LabCare,
  scenarios: readonly Scenario[],
  jobs: number,
  settings: RunSettings,
): Promise<Outcomes> {
  const { everyNode, scheduling, beside, onNode, onVm } = lanes(scenarios);
  const inCluster = (some: readonly Scenario[]): Promise<Outcomes> => pooled(some, jobs, (one) => runScenario(lab, one, settings));
  const onWorker = (some: readonly Scenario[]): Promise<Outcomes> => pooled(some, 1, (one) => runOnNode(lab, care, one, settings));
  const whole = everyNode.length + scheduling.length + beside.length > 0;
  if (whole) await care.clearUp();
  // The machine boots before the others take all processors, which would make it ten times as slow.
  const [first] = await Promise.all([onWorker(everyNode), whole && onVm.length > 0 ? bootEarly(care, settings) : undefined]);
  const second = await inCluster(scheduling);
  const others = async (): Promise<Outcomes> => [...(await inCluster(beside)), ...(await onWorker(onNode))];
  return [...first, ...second, ...(await Promise.all([others(), runOnVm(lab, care, onVm, settings)])).flat()];
}

/** A machine that does not boot now is booted once more when it is needed. */
async function bootEarly(care: LabCare, settings: RunSettings): Promise<void> {
  if (isLate(settings)) return;
  try {
    await care.bootVm();
  } catch (error) {
    settings.say(`     the virtual machine: ${messageOf(error)}`);
  }
}

async function runOnVm(lab: Lab, care: LabCare, scenarios: readonly Scenario[], settings: RunSettings): Promise<Outcomes> {
  if (isLate(settings)) return scenarios.map(({ id }) => skipped(id));
  if (scenarios.length === 0) return [];
  const inTurn = (withVm: Lab): Promise<Outcomes> =>
    pooled(scenarios, 1, (one) => runScenario(withVm, one, settings, () => forgetThePast(withVm.node(one.on))));
  try {
    return await care.withVm(lab, inTurn);
  } catch (error) {
    const problems = [`the virtual machine: ${messageOf(error)}`];
    return scenarios.map(({ id }) => ({ scenario: id, expected: '', said: 'nothing', seconds: 0, problems }));
  }
}

async function runOnNode(lab: Lab, care: LabCare, scenario: Scenario, settings: RunSettings): Promise<Outcome> {
  const isSound = (): Promise<boolean> => holdsWithin(PATIENCE_SECONDS, () => care.isHealthy());
  const prepare = async (): Promise<void> => {
    if (!(await isSound())) await care.heal();
    await care.loadImages(scenario.on);
    await forgetThePast(lab.node(scenario.on));
  };
  const outcome = await runScenario(lab, scenario, settings, prepare);
  if (outcome.skipped || settings.keep || (await isSound())) return outcome;
  return { ...outcome, problems: [...outcome.problems, `the node was not healthy again after it was put back; ${await healed(care)}`] };
}

async function healed(care: LabCare): Promise<string> {
  try {
    await care.heal();
    return 'it was made anew';
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What an earlier scenario left in the journal is not of this one. */
export async function forgetThePast(node: LabNode): Promise<void> {
  await node.exec('journalctl -q --rotate && journalctl -q --vacuum-time=1s');
}
