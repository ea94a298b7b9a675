import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { down, leftovers } from './down.ts';
import { areNodesSound, heal } from './heal.ts';
import type { Lab } from './lab.ts';
import { enterArguments } from './node/namespace-node.ts';
import { nodeProcess } from './node/start.ts';
import { buildProgram, openLab } from './open-lab.ts';
import { isAlive, knownProcesses } from './processes.ts';
import { chosenIds, parseRunArguments } from './runner/arguments.ts';
import { type LabCare, runAll } from './runner/run-all.ts';
import { table } from './runner/table.ts';
import type { Scenario } from './scenario.ts';
import { binaryPath, labPaths, type Paths, pidFolder } from './settings.ts';
import { LabUnavailable, up } from './up.ts';
import { attachedVms, joinLab, leaveLab } from './vm/join.ts';

export interface Surroundings {
  readonly root: string;
  scenarioIds(): readonly string[];
  loadScenarios(ids: readonly string[]): Promise<readonly Scenario[]>;
}

const USAGE = `npm run lab -- COMMAND
  up [--install]              start the cluster and its two nodes; --install fetches missing Debian packages
  run ID… | --all             make faults and compare what podcause says
    --on=cluster              only those that run there: cluster, worker-a or vm-a
    --record                  renew cases/lab-ID from what was seen
    --jobs=5                  how many scenarios of the cluster at a time
    --keep                    leave the fault in place
  list                        the scenarios
  status                      what runs, and where the kubeconfig is
  shell [NODE]                a shell with KUBECONFIG set, or inside a node
  heal                        make broken nodes anew
  down                        end and remove everything
`;

function say(line: string): void {
  console.log(line);
}

export async function main(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const [command, ...rest] = argv;
  const paths = labPaths(surroundings.root);
  try {
    switch (command) {
      case 'up':
        await up(paths, { install: rest.includes('--install') || process.env['CI'] !== undefined }, say);
        return 0;
      case 'down':
        return await runDown(paths);
      case 'run':
        return await run(paths, rest, surroundings);
      case 'list':
        return await list(surroundings);
      case 'heal':
        await heal(paths, openLab(paths), say);
        return 0;
      case 'status':
        return await status(paths);
      case 'shell':
        return shell(paths, rest[0]);
      default:
        process.stderr.write(USAGE);
        return command === undefined || command === 'help' || command === '--help' ? 0 : 2;
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof LabUnavailable ? 3 : 1;
  }
}

async function run(paths: Paths, words: readonly string[], surroundings: Surroundings): Promise<number> {
  const wanted = parseRunArguments(words);
  const loaded = await surroundings.loadScenarios(chosenIds(wanted, surroundings.scenarioIds()));
  const scenarios = loaded.filter(({ on }) => wanted.on === undefined || on === wanted.on);
  await up(paths, { install: wanted.install || process.env['CI'] !== undefined }, say);
  const folder = mkdtempSync(join(tmpdir(), 'podcause-lab-cli-'));
  try {
    const program = await buildProgram(paths, folder);
    const lab = openLab(paths, new Map(), program);
    const settings = { root: paths.root, record: wanted.record, keep: wanted.keep, reports: join(paths.state, 'reports'), say };
    const outcomes = await runAll(lab, careOf(paths, lab, program), scenarios, wanted.jobs, settings);
    say(`\n${table(outcomes)}`);
    return outcomes.every(({ problems }) => problems.length === 0) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function careOf(paths: Paths, lab: Lab, program: string): LabCare {
  return {
    isHealthy: () => areNodesSound(lab),
    heal: () => heal(paths, lab, say),
    withVm: async (_, work) => {
      const wasThere = attachedVms(paths).has('vm-a');
      const node = await joinLab(paths, lab, 'vm-a', say);
      try {
        return await work(openLab(paths, new Map([[node.name, node]]), program));
      } finally {
        for (const line of wasThere ? [] : await leaveLab(paths, lab)) say(`left behind: ${line}`);
      }
    },
  };
}

async function list(surroundings: Surroundings): Promise<number> {
  for (const scenario of await surroundings.loadScenarios(surroundings.scenarioIds())) {
    say(`${scenario.id.padEnd(34)} ${scenario.on.padEnd(9)} ${scenario.title}`);
  }
  return 0;
}

async function runDown(paths: Paths): Promise<number> {
  const left = await down(paths, say);
  if (left.length === 0) {
    say('down; nothing is left');
    return 0;
  }
  process.stderr.write(`left behind:\n${left.map((line) => `  ${line}`).join('\n')}\n`);
  return 1;
}

async function status(paths: Paths): Promise<number> {
  const known = knownProcesses(pidFolder(paths));
  for (const one of known) say(`${one.name.padEnd(26)} ${String(one.pid).padStart(8)}  ${isAlive(one) ? 'up' : 'gone'}`);
  if (!existsSync(paths.kubeconfig)) {
    say('the lab is down');
    for (const line of await leftovers(paths)) say(`left behind: ${line}`);
    return 1;
  }
  say(`kubeconfig ${paths.kubeconfig}`);
  say((await openLab(paths).kubectl(['get', 'nodes', '-o', 'wide', '--request-timeout=5s'], { timeoutSeconds: 20 })).stdout.trimEnd());
  return known.every(isAlive) ? 0 : 1;
}

function shell(paths: Paths, node: string | undefined): number {
  const env = { ...process.env, KUBECONFIG: paths.kubeconfig, PATH: `${binaryPath(paths, '')}:${process.env['PATH'] ?? ''}` };
  if (node === undefined) return spawnSync(process.env['SHELL'] ?? '/bin/sh', [], { stdio: 'inherit', env }).status ?? 1;
  const known = nodeProcess(paths, node);
  if (known === undefined) throw new Error(`${node} is not up`);
  return spawnSync('nsenter', [...enterArguments(known.pid), '/bin/bash', '-l'], { stdio: 'inherit' }).status ?? 1;
}
