import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { down, leftovers } from './down.ts';
import { type FixSurroundings, fixCommand } from './fixes/command.ts';
import { areNodesSound, heal } from './heal.ts';
import type { Lab } from './lab.ts';
import { enterArguments } from './node/namespace-node.ts';
import { nodeProcess } from './node/start.ts';
import { whileAlone } from './one-at-a-time.ts';
import { buildProgram, openLab } from './open-lab.ts';
import { isAlive, knownProcesses } from './processes.ts';
import { chosenIds, parseRunArguments } from './runner/arguments.ts';
import { forgetThePast, type LabCare, runAll } from './runner/run-all.ts';
import { isGood, table } from './runner/table.ts';
import type { Scenario } from './scenario.ts';
import { binaryPath, labPaths, NAMESPACE_NODES, type Paths, pidFolder } from './settings.ts';
import { LabUnavailable, loadImages, up } from './up.ts';
import type { VmNode } from './vm/index.ts';
import { attachedVms, bootForLab, joinLab, leaveLab } from './vm/join.ts';

export interface Surroundings extends FixSurroundings {
  readonly root: string;
  scenarioIds(): readonly string[];
  loadScenarios(ids: readonly string[]): Promise<readonly Scenario[]>;
}

const USAGE = `npm run lab -- COMMAND
  up [--install] [--vm]       start the cluster and its two nodes; --install fetches missing Debian packages,
                              --vm also makes the disk of the virtual machine
  run ID… | --all             make faults and compare what podcause says
    --on=cluster              only those that run there: cluster, worker-a or vm-a
    --record                  renew cases/lab-ID from what was seen
    --jobs=8                  how many scenarios of the cluster at a time
    --minutes=30              begin none after so long, and name those left out
    --keep                    leave the fault in place
    --without-fixes           not those that fix makes, and has diagnosed, too
  fix ID… | --all             make faults, let podcause fix and verify them, and undo the fixes
  list                        the scenarios
  status                      what runs, and where the kubeconfig is
  shell [NODE]                a shell with KUBECONFIG set, or inside a node
  heal                        make broken nodes anew
  down                        end and remove everything
`;

function wantsInstall(flag: boolean): boolean {
  return flag || process.env['CI'] !== undefined;
}

function say(line: string): void {
  console.log(line);
}

export async function main(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const [command, ...rest] = argv;
  const paths = labPaths(surroundings.root);
  try {
    switch (command) {
      case 'up':
        await whileAlone(paths, () => up(paths, { install: wantsInstall(rest.includes('--install')), vm: rest.includes('--vm') }, say));
        return 0;
      case 'down':
        return await runDown(paths);
      case 'run':
        return await whileAlone(paths, () => run(paths, rest, surroundings));
      case 'fix':
        return await whileAlone(paths, () => fixCommand(paths, rest, surroundings, careOf, say));
      case 'list':
        return await list(surroundings);
      case 'heal':
        await whileAlone(paths, () => heal(paths, openLab(paths), say));
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
  const began = Date.now();
  const wanted = parseRunArguments(words);
  const loaded = await surroundings.loadScenarios(chosenIds(wanted, surroundings.scenarioIds()));
  const fixed = new Set(wanted.withoutFixes ? surroundings.fixIds() : []);
  const scenarios = loaded.filter(({ id, on }) => (wanted.on === undefined || on === wanted.on) && !fixed.has(id));
  await up(paths, { install: wantsInstall(wanted.install), vm: scenarios.some(({ on }) => on === 'vm-a') }, say);
  const folder = mkdtempSync(join(tmpdir(), 'podcause-lab-cli-'));
  try {
    const program = await buildProgram(paths, folder);
    const lab = openLab(paths, new Map(), program);
    const deadline = wanted.minutes === undefined ? {} : { deadline: began + wanted.minutes * 60_000 };
    const settings = {
      ...deadline,
      root: paths.root,
      record: wanted.record,
      keep: wanted.keep,
      reports: join(paths.state, 'reports'),
      say,
    };
    const outcomes = await runAll(lab, careOf(paths, lab, program), scenarios, wanted.jobs, settings);
    say(`\n${table(outcomes)}`);
    return isGood(outcomes) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function careOf(paths: Paths, lab: Lab, program: string): LabCare {
  let booted: VmNode | undefined;
  const boot = (): Promise<VmNode> => bootForLab(paths, lab, 'vm-a', say);
  return {
    isHealthy: () => areNodesSound(lab),
    loadImages: (node) => loadImages(paths, lab, node),
    heal: () => heal(paths, lab, say),
    clearUp: async () => {
      await takeVmAway(paths, lab);
      for (const { name } of NAMESPACE_NODES) await forgetThePast(lab.node(name));
    },
    bootVm: async () => {
      booted = await boot();
    },
    withVm: async (_, work) => {
      const wasThere = booted === undefined && attachedVms(paths).has('vm-a');
      const node = booted ?? (await boot());
      try {
        await joinLab(lab, node);
        return await work(openLab(paths, new Map([[node.name, node]]), program));
      } finally {
        if (!wasThere) await takeVmAway(paths, lab);
      }
    },
  };
}

async function takeVmAway(paths: Paths, lab: Lab): Promise<void> {
  for (const line of await leaveLab(paths, lab)) say(`left behind: ${line}`);
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
