import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lab } from '../lab.ts';
import { judge, reportOf } from '../runner/judge.ts';
import { type LabCare, runAll } from '../runner/run-all.ts';
import type { Outcome } from '../runner/table.ts';
import type { Scenario } from '../scenario.ts';
import type { Paths } from '../settings.ts';
import { type FixRow, rowOf } from './fix-table.ts';
import { runAtTerminal } from './terminal.ts';
import type { Bench, Column, Trial } from './trial.ts';
import { asCommand, chooser, viaOf } from './way.ts';

export interface FixSettings {
  readonly paths: Paths;
  /** The built command line. */
  readonly program: string;
  readonly jobs: number;
  readonly deadline?: number;
  say(line: string): void;
}

/** Notes of one trial, for its row of the table. */
type Notes = Map<Column, string>;

/** The runner makes and heals faults as ever; each trial takes place where a fault would only be put back. */
export async function runFixes(lab: Lab, care: LabCare, trials: readonly Trial[], settings: FixSettings): Promise<readonly FixRow[]> {
  const { paths, jobs, deadline, say } = settings;
  const root = mkdtempSync(join(tmpdir(), 'podcause-lab-fix-'));
  const reports = join(paths.state, 'fix-reports');
  const notes = new Map<string, Notes>();
  try {
    for (const trial of trials) copyManifest(trial, paths.root, root);
    const scenarios = trials.map((trial) => tried(trial, settings, reports, notes));
    const limits = deadline === undefined ? {} : { deadline };
    const outcomes = await runAll(lab, care, scenarios, jobs, { ...limits, root, reports, record: false, keep: false, say });
    return outcomes.map((outcome) => rowOf(outcome, causeOf(trials, outcome), notes.get(outcome.scenario) ?? new Map()));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The scenario as its trial needs it: the runner finds manifests below a root of ours. */
function copyManifest({ scenario, manifest = (text) => text }: Trial, from: string, to: string): void {
  if (scenario.manifest !== true) return;
  const place = join('lab/scenarios', scenario.id);
  mkdirSync(join(to, place), { recursive: true });
  writeFileSync(join(to, place, 'manifest.yaml'), manifest(readFileSync(join(from, place, 'manifest.yaml'), 'utf8')));
}

function tried(trial: Trial, settings: FixSettings, reports: string, notes: Map<string, Notes>): Scenario {
  const { scenario } = trial;
  const report = join(reports, `${scenario.id}.json`);
  let failed: unknown;
  return {
    ...scenario,
    breakIt: async (lab, namespace) => {
      // One of an earlier run would be fixed in its place.
      rmSync(report, { force: true });
      await scenario.breakIt?.(lab, namespace);
    },
    restore: async (lab, namespace) => {
      const own: Notes = failed === undefined ? new Map() : (notes.get(scenario.id) ?? new Map());
      notes.set(scenario.id, own);
      try {
        // The runner makes a fault again after any problem; a fix that failed has failed.
        if (failed !== undefined) throw failed;
        if (!isDiagnosed(scenario, report)) throw new Error('the fault was not diagnosed, so nothing was tried');
        await trial.act(benchFor({ lab, report, namespace, settings, own })).catch((error: unknown) => {
          failed = error;
          throw error;
        });
      } finally {
        await scenario.restore?.(lab, namespace);
      }
    },
  };
}

interface BenchParts {
  readonly lab: Lab;
  readonly namespace: string;
  readonly report: string;
  readonly settings: FixSettings;
  readonly own: Notes;
}

function benchFor({ lab, namespace, report, settings: { paths, program, say }, own }: BenchParts): Bench {
  return {
    lab,
    namespace,
    report,
    via: (...nodes) => wayTo(paths, nodes, `${report}.via`),
    atTerminal: (args, typed) =>
      runAtTerminal([process.execPath, program, ...args], typed, { KUBECONFIG: paths.kubeconfig, NO_COLOR: '1' }),
    note: (column, says) => {
      own.set(column, says);
      say(`     ${namespace}: ${column}: ${says}`);
    },
  };
}

/** For several nodes a program chooses by the name. */
function wayTo(paths: Paths, nodes: readonly string[], file: string): string {
  const [only, ...others] = nodes;
  if (only !== undefined && others.length === 0) return viaOf(paths, only);
  writeFileSync(file, chooser(new Map(nodes.map((name) => [name, viaOf(paths, name)]))));
  return `${asCommand(['sh', file])} {node}`;
}

function isDiagnosed(scenario: Scenario, file: string): boolean {
  const report = existsSync(file) ? reportOf(readFileSync(file, 'utf8')) : undefined;
  return report !== undefined && judge(scenario, report).problems.length === 0;
}

function causeOf(trials: readonly Trial[], { scenario: id }: Outcome): string {
  const expected = trials.find(({ scenario }) => scenario.id === id)?.scenario.expect;
  return expected === undefined || expected === 'healthy' ? id : expected.cause;
}
