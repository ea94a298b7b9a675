import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lab } from '../lab.ts';
import { buildProgram, openLab } from '../open-lab.ts';
import { chosenIds, parseRunArguments } from '../runner/arguments.ts';
import type { LabCare } from '../runner/run-all.ts';
import type { Paths } from '../settings.ts';
import { type Say, up } from '../up.ts';
import { fixTable } from './fix-table.ts';
import { runFixes } from './run-fixes.ts';
import type { Trial } from './trial.ts';

export interface FixSurroundings {
  fixIds(): readonly string[];
  loadFixes(ids: readonly string[]): Promise<readonly Trial[]>;
}

/** `npm run lab -- fix`: makes faults, lets podcause fix them, and takes the fixes back. */
export async function fixCommand(
  paths: Paths,
  words: readonly string[],
  { fixIds, loadFixes }: FixSurroundings,
  careOf: (paths: Paths, lab: Lab, program: string) => LabCare,
  say: Say,
): Promise<number> {
  const began = Date.now();
  const wanted = parseRunArguments(words);
  const loaded = await loadFixes(chosenIds(wanted, fixIds()));
  const trials = loaded.filter(({ scenario: { on } }) => wanted.on === undefined || on === wanted.on);
  const install = wanted.install || process.env['CI'] !== undefined;
  await up(paths, { install, vm: trials.some(({ scenario: { on } }) => on === 'vm-a') }, say);
  const folder = mkdtempSync(join(tmpdir(), 'podcause-lab-cli-'));
  try {
    const program = await buildProgram(paths, folder);
    const lab = openLab(paths, new Map(), program);
    const deadline = wanted.minutes === undefined ? {} : { deadline: began + wanted.minutes * 60_000 };
    const rows = await runFixes(lab, careOf(paths, lab, program), trials, { paths, program, jobs: wanted.jobs, say, ...deadline });
    say(`\n${fixTable(rows)}`);
    return rows.every(({ problems }) => problems.length === 0) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
