import type { FactBase } from '../facts/fact-base.ts';
import { type EntityId, entityOf } from '../model/entity.ts';
import type { Fact } from '../model/facts.ts';
import type { Scope } from './scope.ts';

/** The most telling error about some entities, for an answer outside the catalogue. */
export function mostTelling(about: readonly EntityId[], base: FactBase, scope: Scope): Fact<'log.error'> | undefined {
  const errors = new Set<Fact<'log.error'>>();
  for (const place of surroundings(about, base, scope)) for (const error of base.of('log.error', place)) errors.add(error);
  return best([...errors]);
}

/** The most telling error of all, when nothing else is known. */
export function mostTellingOfAll(base: FactBase): Fact<'log.error'> | undefined {
  return best(base.all('log.error'));
}

function best(errors: readonly Fact<'log.error'>[]): Fact<'log.error'> | undefined {
  let top: Fact<'log.error'> | undefined;
  for (const error of errors) {
    if (EMPTY_WORDS.test(error.innermost)) continue;
    if (!top || score(error) > score(top)) top = error;
  }
  return top;
}

/** The entities, their containers and their siblings, each once. */
function surroundings(about: readonly EntityId[], base: FactBase, scope: Scope): ReadonlySet<EntityId> {
  const ids = new Set<EntityId>(about);
  const workloads = new Set<EntityId>();
  for (const id of about) {
    if (entityOf(id).kind !== 'Pod') continue;
    for (const container of scope.containers(id)) ids.add(container);
    workloads.add(base.topology.workloadOf(id));
  }
  for (const workload of workloads) for (const member of scope.members(workload)) ids.add(member);
  return ids;
}

const LEVEL = { fatal: 40, error: 20, warning: 5 } as const;

/** Sentences that only say that something failed; behind each stands a better one, or nothing. */
const EMPTY_WORDS =
  /^(?:error:? )?(?:back-off|error syncing pod|(?:err)?imagepull(?:backoff)?\b|crashloopbackoff|exit(?:ed)?(?: with)?(?: status| code)? \d+\W{0,3}$|exiting|the connection|unhandled error|context deadline exceeded$|context canceled|signal: |unknown$|failed$|error$|an error occurred when try(?:ing)? to find (?:container|sandbox|task)\b)/i;

/** Said by the thing that failed, last words, gravity, rarity; in this order. */
function score(error: Fact<'log.error'>): number {
  const voice = error.ownVoice ? 30 : 0;
  const last = error.last ? 15 : 0;
  const chatter = Math.min(10, Math.log2(error.count + 1));
  const wordy = error.innermost.length < 12 ? 5 : 0;
  const told = error.hearsay ? 25 : 0;
  return LEVEL[error.level] + voice + last - chatter - wordy - told;
}
