import { soundNodes } from './host-scenario.ts';
import {
  CONTAINERD_CONFIG,
  configState,
  newTextOf,
  planOn,
  podsOn,
  putScript,
  SMALL_CHANGES,
  unsoundness,
  withNewText,
} from './host-trial.ts';
import { must } from './must.ts';
import type { Bench, Trial } from './trial.ts';

/** An edit that is wrong by construction: the host's own checks have to stop it. */
export interface WrongEdit {
  readonly id: string;
  readonly title: string;
  /** The wrong text, of the old and the right one. */
  spoil(old: string, right: string): string;
  /** `refused`: before anything is changed. `rolled-back`: changed, found wanting, and put back. */
  readonly ends: 'refused' | 'rolled-back';
}

const WITHIN_SECONDS = 60;

export function defineWrongEdit(wrong: WrongEdit): Trial {
  return { scenario: soundNodes(wrong.id, wrong.title), act: (bench) => tryWrongEdit(wrong, bench) };
}

async function tryWrongEdit(wrong: WrongEdit, { lab, namespace, note }: Bench): Promise<void> {
  const node = lab.node('worker-a');
  const old = await node.readFile(CONTAINERD_CONFIG);
  const right = await planOn(node, SMALL_CHANGES);
  const program = await putScript(node, withNewText(right, old, wrong.spoil(old, newTextOf(right, old))), wrong.id);
  try {
    const [before, neighbours] = [await configState(node), await podsOn(lab, namespace, 'worker-b')];
    note('plan', 'spoilt on purpose');
    const began = Date.now();
    const { ending, says } = await program.run('apply');
    const seconds = (Date.now() - began) / 1000;
    note('applied', `${ending} after ${Math.round(seconds)} s`);
    must(ending === wrong.ends, `it ended ${ending}, not ${wrong.ends}: ${says}`);
    must(seconds < WITHIN_SECONDS, `it took ${Math.round(seconds)} s to be ${ending}`);
    must((await configState(node)) === before, `${CONTAINERD_CONFIG} is not what it was before`);
    note('undone', 'the old bytes');
    const unsound = await unsoundness(node);
    must(unsound === '', `worker-a is not sound: ${unsound}`);
    must((await podsOn(lab, namespace, 'worker-b')) === neighbours, 'pods of worker-b were touched');
    note('verified', 'node sound');
  } finally {
    await program.remove();
  }
}
