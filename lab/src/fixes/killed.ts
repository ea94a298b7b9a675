import type { LabNode } from '../lab.ts';
import { soundNodes } from './host-scenario.ts';
import { configState, type HostProgram, planOn, podsOn, putScript, SMALL_CHANGES, unsoundness } from './host-trial.ts';
import { must } from './must.ts';
import { lastWords } from './said.ts';
import type { Bench, Trial } from './trial.ts';

/** A run is killed at a place, and the next one goes on from the journal. */
export interface Round {
  /** Name of a boundary, as the script lists them. */
  readonly at: string;
  readonly killed: 'apply' | 'undo';
  readonly next: 'apply' | 'undo';
  /** Which bytes the file has in the end. */
  readonly leaves: 'new' | 'old';
}

/** Every boundary twice. An undo that was killed is finished by either: it was wanted. */
export function roundsOf(boundaries: readonly string[]): readonly Round[] {
  return boundaries.flatMap((at) =>
    (['apply', 'undo'] as const).map((next): Round => {
      const killed = at.startsWith('undo.') ? 'undo' : 'apply';
      return { at, killed, next, leaves: killed === 'apply' && next === 'apply' ? 'new' : 'old' };
    }),
  );
}

const ID = 'fix-killed';
const KILLED = 137;
/** Looks at daemons follow each other quickly; what is looked at stays the same. */
const QUICK = { PODCAUSE_TICK: '0.2' };

export function killedTrial(): Trial {
  const scenario = soundNodes(ID, 'A fix of a host is killed at every step boundary');
  return { scenario, act: tryEveryBoundary };
}

async function tryEveryBoundary(bench: Bench): Promise<void> {
  const { lab, namespace, note } = bench;
  const node = lab.node('worker-a');
  const neighbours = await podsOn(lab, namespace, 'worker-b');
  const program = await putScript(node, await planOn(node, SMALL_CHANGES), ID);
  try {
    const files = await bothStates(node, program);
    const boundaries = (await program.run('boundaries')).stdout.trim().split('\n');
    note('plan', `${boundaries.length} boundaries`);
    for (const round of roundsOf(boundaries)) await tryRound(node, program, round, files);
    note('applied', `${boundaries.length} killed, then applied`);
    note('undone', `${boundaries.length} killed, then undone`);
    await tryCommands(bench, node, program, files);
    must((await podsOn(lab, namespace, 'worker-b')) === neighbours, 'pods of worker-b were touched');
    note('verified', 'node sound each time');
  } finally {
    await program.run('undo', QUICK);
    await program.remove();
  }
}

type Files = Readonly<Record<Round['leaves'], string>>;

async function bothStates(node: LabNode, program: HostProgram): Promise<Files> {
  const old = await configState(node);
  const applied = await program.run('apply', QUICK);
  must(applied.ending === 'done', `the fix ended ${applied.ending}: ${applied.says}`);
  const changed = await configState(node);
  must(changed !== old, 'the fix changed nothing');
  await program.run('undo', QUICK);
  return { old, new: changed };
}

async function tryRound(node: LabNode, program: HostProgram, round: Round, files: Files): Promise<void> {
  const what = `killed at ${round.at} of ${round.killed}, then ${round.next}`;
  if (round.killed === 'undo') await program.run('apply', QUICK);
  const killed = await program.run(round.killed, { ...QUICK, PODCAUSE_STOP_AT: round.at });
  must(killed.code === KILLED, `${what}: it was not killed there (exit code ${killed.code}): ${lastWords(killed)}`);
  const { ending, says } = await program.run(round.next, QUICK);
  await mustBeSound(node, files[round.leaves], `${what} (${ending}: ${says})`);
  if (round.leaves === 'new') await program.run('undo', QUICK);
}

/** The same by the command line, from the journal alone. */
async function tryCommands({ lab, via }: Bench, node: LabNode, program: HostProgram, files: Files): Promise<void> {
  const reach = ['--apply', '--yes=touches-node', '--node', node.name, '--via', via(node.name)];
  await program.run('apply', { ...QUICK, PODCAUSE_STOP_AT: '2.called' });
  const resumed = await lab.podcause(['fix', '--resume', ID, ...reach], { timeoutSeconds: 300 });
  must(resumed.code === 0, `podcause fix --resume ended with ${resumed.code}: ${lastWords(resumed)}`);
  await mustBeSound(node, files.new, 'podcause fix --resume');
  await program.run('undo', QUICK);
  await program.run('apply', { ...QUICK, PODCAUSE_STOP_AT: '2.begun' });
  const undone = await lab.podcause(['undo', ID, ...reach], { timeoutSeconds: 300 });
  must(undone.code === 0, `podcause undo ended with ${undone.code}: ${lastWords(undone)}`);
  await mustBeSound(node, files.old, 'podcause undo');
}

async function mustBeSound(node: LabNode, wanted: string, what: string): Promise<void> {
  must((await configState(node)) === wanted, `${what}: the file is not what it should be`);
  const unsound = await unsoundness(node);
  must(unsound === '', `${what}: worker-a is not sound: ${unsound}`);
}
