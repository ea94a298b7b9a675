import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lab, RunOptions } from '../lab.ts';
import { must } from '../run-command.ts';
import { type ExpectedIncident, namespaceOf, type Scenario } from '../scenario.ts';
import { pastedEvidence } from './evidence.ts';
import { judge, reportOf } from './judge.ts';

/** What a case expects, in the form the replaying test reads. */
export function caseOf(scenario: Scenario): string {
  const body = {
    title: scenario.title,
    verdict: scenario.expect === 'healthy' ? 'healthy' : 'found',
    incidents: scenario.expect === 'healthy' ? [] : [incidentOf(scenario.expect)],
    ...(scenario.never !== undefined ? { never: scenario.never } : {}),
    ...(scenario.expect !== 'healthy' ? { more: true } : {}),
  };
  return `${JSON.stringify(body, null, 2)}\n`;
}

/** A number of victims that can only be bounded is left open. */
function incidentOf({ victims, ...incident }: ExpectedIncident): object {
  return typeof victims === 'number' ? { ...incident, victims } : incident;
}

export function liveArguments(scenario: Scenario): readonly string[] {
  const scope = scenario.live ?? ['-n', namespaceOf(scenario)];
  return scenario.host === undefined ? scope : [...scope, '--stdin'];
}

export function liveOptions(host: string | undefined): RunOptions {
  return { timeoutSeconds: 180, ...(host !== undefined ? { input: host } : {}) };
}

/** Saves the evidence in both forms and reads it back: a case that does not replay is a problem. */
export async function record(lab: Lab, scenario: Scenario, cases: string, host: string | undefined): Promise<readonly string[]> {
  const folder = join(cases, `lab-${scenario.id}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'pasted'), { recursive: true });
  writeFileSync(join(folder, 'case.json'), caseOf(scenario));
  for (const [name, text] of await pastedEvidence(lab, scenario)) writeFileSync(join(folder, 'pasted', name), text);
  if (host !== undefined) writeFileSync(join(folder, 'pasted', 'host.txt'), host);
  const problems = [...(await recordBundle(lab, scenario, join(folder, 'bundle'), host))];
  for (const form of ['pasted', 'bundle']) problems.push(...(await replay(lab, scenario, form, join(folder, form))));
  return problems;
}

async function recordBundle(lab: Lab, scenario: Scenario, folder: string, host: string | undefined): Promise<readonly string[]> {
  const work = mkdtempSync(join(tmpdir(), 'podcause-lab-bundle-'));
  try {
    const archive = join(work, 'bundle.tgz');
    const ran = await lab.podcause(['collect', ...liveArguments(scenario), '--file', archive], liveOptions(host));
    if (ran.code !== 0) return [`podcause collect ended with ${ran.code}: ${ran.stderr.trim()}`];
    mkdirSync(folder, { recursive: true });
    await must('tar', ['-C', folder, '--no-same-owner', '-xzf', archive]);
    return [];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function replay(lab: Lab, scenario: Scenario, form: string, folder: string): Promise<readonly string[]> {
  const ran = await lab.podcause(['diagnose', folder, '-o', 'json'], { timeoutSeconds: 120 });
  const report = reportOf(ran.stdout);
  if (report === undefined) return [`${form}: no report: ${ran.stderr.trim()}`];
  return judge(scenario, report).problems.map((problem) => `${form}: ${problem}`);
}
