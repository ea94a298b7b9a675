import type { FactBase } from '../facts/fact-base.ts';
import type { Fact } from '../model/facts.ts';
import type { Examined } from '../model/finding.ts';
import { isReadyNode } from './ready-node.ts';

const QUIET_MILLISECONDS = 10 * 60 * 1000;

/** A journal keeps what is long repaired: on a node that is ready, lines with no successor for a while tell of the past. */
export function isOver({ place, verdict }: Examined, base: FactBase): boolean {
  if (!isReadyNode(place, base)) return false;
  const proofs = verdict.readings.filter(({ clue, state }) => clue.role === 'proves' && state === 'seen').flatMap(({ facts }) => facts);
  return proofs.length > 0 && proofs.every((fact) => fact.kind === 'log.signature' && quietSince(fact, base) > QUIET_MILLISECONDS);
}

/** How long its own log went on without saying it again. */
function quietSince({ cited, last, when }: Fact<'log.signature'>, base: FactBase): number {
  const said = last ?? when;
  if (said === undefined) return 0;
  const docs = new Set(cited.map(({ doc }) => doc));
  let newest = said;
  for (const one of base.coverage.all) if (docs.has(one.doc)) newest = Math.max(newest, one.newest ?? 0);
  return newest - said;
}
