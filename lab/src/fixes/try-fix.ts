import type { FixOutcome } from '../../../src/model/plan-view.ts';
import type { Ran } from '../lab.ts';
import { holdsWithin, sleep } from '../run-command.ts';
import { type FixCase, nodesOf } from './fix-case.ts';
import { must } from './must.ts';
import { lastWords, outcomeSaid, planSaid } from './said.ts';
import type { Bench } from './trial.ts';

/** Long enough for a kubelet to try twice; causes themselves ask for minutes. */
const QUIET = '20s';
const DEEP_IMAGE = 'lab.local/busybox:1';
const LOCK_TRIES = 20;

/** Plan, apply, look, verify, undo, with the real command line: any step that does not hold ends it. */
export async function tryFix(fix: FixCase, bench: Bench): Promise<void> {
  const broken = await fix.state(bench.lab, bench.namespace);
  await plan(fix, bench);
  must((await fix.state(bench.lab, bench.namespace)) === broken, 'something was changed by showing the plan');
  const id = await apply(fix, bench);
  await prove(fix, bench);
  const mended = await fix.state(bench.lab, bench.namespace);
  if (fix.undo !== 'nothing') must(mended !== broken, `the fix changed nothing of: ${broken}`);
  await verify(fix, bench);
  await undo(fix, bench, id, fix.undo === 'kept' ? mended : broken);
}

async function plan(fix: FixCase, bench: Bench): Promise<void> {
  const ran = await bench.lab.podcause(
    ['fix', ...chosen(bench), ...everywhere(fix), ...setsOf(fix), ...waysOf(fix, bench), ...deepConsent(fix), '-o', 'json'],
    {
      timeoutSeconds: 240,
    },
  );
  const view = planSaid(ran);
  must(view.refused.length === 0, `the plan cannot be done: ${view.refused.join('; ')}`);
  must(ran.code === 0 && view.steps.length > 0, `the plan has ${view.steps.length} steps (exit code ${ran.code}): ${lastWords(ran)}`);
  const shown = JSON.stringify([view.warnings, view.affected, view.steps]);
  for (const words of fix.planShows ?? []) must(words.test(shown), `the plan does not say ${words.source}: ${shown.slice(0, 400)}`);
  bench.note('plan', `${view.steps.length} steps, ${view.risk}`);
}

async function apply(fix: FixCase, bench: Bench): Promise<string> {
  const ways = [...everywhere(fix), ...setsOf(fix), ...waysOf(fix, bench)];
  const args = ['fix', ...chosen(bench), ...ways, '--apply', '--yes=touches-node', '--quiet-time', QUIET];
  const outcome = await unlessHeld(() => run(fix, bench, [...args, '-o', 'json']));
  bench.note('applied', `${outcome.outcome}, ${outcome.steps.length} steps`);
  must(outcome.outcome === 'fixed', `it ended ${outcome.outcome}: ${outcome.says}`);
  const places = [...new Set(outcome.steps.map(({ where }) => where))].filter((where) => where !== 'cluster');
  if (fix.others !== undefined) must(places.join() === nodesOf(fix).join(), `the nodes were changed in the order ${places.join()}`);
  return outcome.id;
}

/** Scenarios of the cluster run side by side, and only one fix of a cluster may be under way: the others are refused and come again. */
async function unlessHeld(act: () => Promise<Ran>): Promise<FixOutcome> {
  for (let tried = 1; ; tried += 1) {
    const outcome = outcomeSaid(await act());
    if (outcome.outcome !== 'refused' || !isHeld(outcome.says) || tried === LOCK_TRIES) return outcome;
    await sleep(3000);
  }
}

export function isHeld(says: string): boolean {
  return /under way/.test(says);
}

async function prove(fix: FixCase, { lab, namespace }: Bench): Promise<void> {
  for (const proof of fix.proofs) {
    const holds = await holdsWithin(proof.withinSeconds, () => proof.holds(lab, namespace), 1000);
    must(holds, `not so after the fix: ${proof.what}`);
  }
}

async function verify(fix: FixCase, bench: Bench): Promise<void> {
  const args = ['verify', ...chosen(bench), ...waysOf(fix, bench), ...deepConsent(fix), '-o', 'json'];
  const { outcome, says } = outcomeSaid(await bench.lab.podcause(args, { timeoutSeconds: 240 }));
  bench.note('verified', outcome);
  must(outcome === 'fixed', `podcause verify says ${outcome}: ${says}`);
}

async function undo(fix: FixCase, bench: Bench, id: string, wanted: string): Promise<void> {
  // A fix from afar is known in the cluster with all its nodes.
  const where = fix.node === undefined || fix.others !== undefined ? [] : ['--node', fix.node];
  const reach = [...where, ...waysOf(fix, bench), '--yes=touches-node'];
  let ran = await bench.lab.podcause(['undo', id, '--apply', ...reach], { timeoutSeconds: 600 });
  for (let tried = 1; ran.code !== 0 && isHeld(ran.stdout + ran.stderr) && tried < LOCK_TRIES; tried += 1) {
    await sleep(3000);
    ran = await bench.lab.podcause(['undo', id, '--apply', ...reach], { timeoutSeconds: 600 });
  }
  must(ran.code === 0, `undo ended with ${ran.code}: ${lastWords({ ...ran, stderr: `${ran.stderr}\n${ran.stdout}` })}`);
  const listed = await bench.lab.podcause(['undo', ...reach, '-o', 'json'], { timeoutSeconds: 240 });
  const states = statesOf(listed, id);
  must(states.length > 0 && states.every((state) => state === 'undone'), `the journals call it ${states.join(', ') || 'nothing'}`);
  const now = await fix.state(bench.lab, bench.namespace);
  must(now === wanted, `undo did not bring this back:\n${wanted}\nit is:\n${now}`);
  bench.note('undone', fix.undo === 'nothing' ? 'nothing to bring back' : fix.undo === 'kept' ? 'kept, and said' : 'as before');
}

function statesOf(listed: Ran, id: string): readonly string[] {
  try {
    const all = JSON.parse(listed.stdout) as readonly { readonly id: string; readonly state: string }[];
    return all.filter((one) => one.id === id).map(({ state }) => state);
  } catch {
    return [];
  }
}

async function run(fix: FixCase, bench: Bench, args: readonly string[]): Promise<Ran> {
  return fix.typed === undefined ? bench.lab.podcause(args, { timeoutSeconds: 900 }) : bench.atTerminal(args, fix.typed);
}

function chosen({ report }: Bench): readonly string[] {
  return [report, '-i', '1'];
}

function setsOf({ set = [] }: FixCase): readonly string[] {
  return set.flatMap((one) => ['--set', one]);
}

function waysOf(fix: FixCase, bench: Bench): readonly string[] {
  if (fix.node === undefined) return [];
  return fix.way === 'deep' ? ['--deep', '--deep-image', DEEP_IMAGE] : ['--via', bench.via(...nodesOf(fix))];
}

function everywhere({ others = [] }: FixCase): readonly string[] {
  return others.length === 0 ? [] : ['--all-nodes'];
}

/** A pod that reads a host is asked for, too; it allows nothing else as long as `--apply` is not given. */
function deepConsent(fix: FixCase): readonly string[] {
  return fix.way === 'deep' ? ['--yes=touches-node'] : [];
}
