import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lab } from '../lab.ts';
import { holdsWithin } from '../run-command.ts';
import { type Condition, namespaceOf, type Scenario } from '../scenario.ts';
import { hostEvidence } from './evidence.ts';
import { judge, reportOf } from './judge.ts';
import { liveArguments, liveOptions, record } from './record.ts';
import { type Outcome, skipped } from './table.ts';

export interface RunSettings {
  readonly root: string;
  readonly record: boolean;
  readonly keep: boolean;
  /** Where the last report of each scenario is kept, for those who look into a miss. */
  readonly reports: string;
  /** No scenario begins after it, epoch milliseconds. */
  readonly deadline?: number;
  say(line: string): void;
}

async function demand(lab: Lab, args: readonly string[], input?: string): Promise<void> {
  const ran = await lab.kubectl(args, { timeoutSeconds: 60, ...(input !== undefined ? { input } : {}) });
  if (ran.code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${ran.stderr.trim()}`);
}

function manifestOf(root: string, scenario: Scenario): string {
  return join(root, 'lab/scenarios', scenario.id, 'manifest.yaml');
}

async function apply(lab: Lab, scenario: Scenario, root: string): Promise<void> {
  const namespace = namespaceOf(scenario);
  await demand(lab, ['create', 'namespace', namespace]);
  // A pod made before its service account is there is refused.
  const account = ['get', 'serviceaccount', 'default', '-n', namespace];
  if (!(await holdsWithin(30, async () => (await lab.kubectl(account)).code === 0))) throw new Error(`${namespace} got no service account`);
  // No pod of the lab calls the API. A busy API server refuses tokens of pods it has just placed, which would be a fault beside the scenario's.
  await demand(lab, ['patch', 'serviceaccount', 'default', '-n', namespace, '-p', '{"automountServiceAccountToken":false}']);
  if (scenario.manifest === true) await demand(lab, ['apply', '-n', namespace, '-f', manifestOf(root, scenario)]);
}

async function wait(lab: Lab, namespace: string, condition: Condition): Promise<void> {
  if (await holdsWithin(condition.withinSeconds, () => condition.holds(lab, namespace), 1000)) return;
  throw new Error(`never came to be: ${condition.what} (within ${condition.withinSeconds} s)`);
}

export function isLate({ deadline }: RunSettings): boolean {
  return deadline !== undefined && Date.now() > deadline;
}

interface Attempt {
  /** It was sure of something else: no busy machine excuses that. */
  readonly surelyWrong: boolean;
  readonly said: string;
  readonly problems: readonly string[];
}

/**
 * On a busy machine a fault may not come about, or come about otherwise: it is made once more, and that is told. Whoever was certain of
 * something wrong is not asked again. Problems are told, never thrown.
 */
export async function runScenario(
  lab: Lab,
  scenario: Scenario,
  settings: RunSettings,
  prepare: () => Promise<void> = async () => {},
): Promise<Outcome> {
  if (isLate(settings)) return skipped(scenario.id);
  const began = Date.now();
  const first = await attempt(lab, scenario, settings, prepare);
  const again = first.problems.length > 0 && !first.surelyWrong && !settings.keep && !isLate(settings);
  if (again) settings.say(`     ${scenario.id} once more: ${first.problems.join('; ')}`);
  const { said, problems } = again ? await attempt(lab, scenario, settings, prepare) : first;
  const seconds = (Date.now() - began) / 1000;
  const marks = `${problems.length === 0 ? 'ok  ' : 'MISS'} ${scenario.id} (${Math.round(seconds)} s${again ? ', tried twice' : ''})`;
  settings.say(`${marks}${problems.map((line) => `\n     ${line}`).join('')}`);
  return { scenario: scenario.id, expected: expectation(scenario), said, seconds, problems, ...(again ? { triedAgain: true } : {}) };
}

function expectation(scenario: Scenario): string {
  return judge(scenario, { verdict: 'undecided', incidents: [], failures: [] }).expected;
}

/** Makes the fault, looks, compares, and puts everything back. */
async function attempt(lab: Lab, scenario: Scenario, settings: RunSettings, prepare: () => Promise<void>): Promise<Attempt> {
  const namespace = namespaceOf(scenario);
  const problems: string[] = [];
  let said = 'nothing';
  let broken = false;
  let surelyWrong = false;
  try {
    await prepare();
    await removeObjects(lab, scenario, settings.root);
    await apply(lab, scenario, settings.root);
    if (scenario.ready !== undefined) await wait(lab, namespace, scenario.ready);
    broken = true;
    await scenario.breakIt?.(lab, namespace);
    await wait(lab, namespace, scenario.until);
    const host = await hostEvidence(lab, scenario);
    const judgement = await look(lab, scenario, settings, host);
    said = judgement.said;
    surelyWrong = judgement.surelyWrong;
    problems.push(...judgement.problems);
    if (settings.record && problems.length === 0) problems.push(...(await record(lab, scenario, join(settings.root, 'cases'), host)));
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  if (!settings.keep) problems.push(...(await putBack(lab, scenario, settings, broken)));
  return { surelyWrong, said, problems };
}

async function look(lab: Lab, scenario: Scenario, settings: RunSettings, host: string | undefined): Promise<Attempt> {
  const ran = await lab.podcause([...liveArguments(scenario), '-o', 'json'], { ...liveOptions(host), inPod: scenario.inPod ?? false });
  mkdirSync(settings.reports, { recursive: true });
  writeFileSync(join(settings.reports, `${scenario.id}.json`), ran.stdout);
  const report = reportOf(ran.stdout);
  if (report !== undefined) return judge(scenario, report);
  return {
    said: 'no report',
    surelyWrong: false,
    problems: [`podcause ended with ${ran.code}: ${ran.stderr.trim() || ran.stdout.slice(0, 300)}`],
  };
}

async function putBack(lab: Lab, scenario: Scenario, settings: RunSettings, broken: boolean): Promise<readonly string[]> {
  const problems: string[] = [];
  const restore = async () => (broken ? scenario.restore?.(lab, namespaceOf(scenario)) : undefined);
  const steps = [restore, () => removeObjects(lab, scenario, settings.root)];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      problems.push(`putting back: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return problems;
}

/** The manifest's objects (some may be outside the namespace), then the namespace with what controllers made in it. */
async function removeObjects(lab: Lab, scenario: Scenario, root: string): Promise<void> {
  const namespace = namespaceOf(scenario);
  const isThere = async (): Promise<boolean> => (await lab.kubectl(['get', 'namespace', namespace, '-o', 'name'])).stdout.trim() !== '';
  const quickly = ['--ignore-not-found', '--wait=false'];
  if (scenario.manifest === true)
    await lab.kubectl(['delete', '-n', namespace, '-f', manifestOf(root, scenario), ...quickly], { timeoutSeconds: 60 });
  if (!(await isThere())) return;
  await lab.kubectl(['delete', 'namespace', namespace, ...quickly]);
  await lab.kubectl(['delete', 'pods', '--all', '-n', namespace, '--force', '--grace-period=0', ...quickly]);
  if (!(await holdsWithin(90, async () => !(await isThere())))) throw new Error(`namespace ${namespace} does not go away`);
}
