import { CHANNELS_OF } from '../facts/coverage.ts';
import type { FactBase } from '../facts/fact-base.ts';
import { type ProbeSlots, probeFor } from '../facts/probes.ts';
import { type EntityId, entityOf, UNKNOWN } from '../model/entity.ts';
import type { FactKind } from '../model/facts.ts';
import type { Examined, Reading, Verdict } from '../model/finding.ts';
import type { Ask } from '../model/report.ts';
import { PHRASES } from './phrases.ts';
import type { Say } from './say.ts';
import { shellWord } from './shell-word.ts';

interface Open {
  readonly ask: Omit<Ask, 'settles'>;
  readonly cost: number;
  readonly causes: Set<string>;
  weight: number;
}

/** The commands that would settle most open verdicts for the least effort, best first. */
export function ask(open: readonly Examined[], base: FactBase, say: Say, limit = 6): Ask[] {
  const asks = new Map<string, Open>();
  for (const { cause, place, verdict } of open) {
    for (const reading of worthAsking(verdict)) {
      const { command, where, cost, tells, channel } = commandFor(reading, place, base);
      const key = `${where}|${command}`;
      const known = asks.get(key) ?? {
        ask: { tells: say(tells), command, where: where === PHRASES.theNode ? say(where) : where, channel },
        cost,
        causes: new Set<string>(),
        weight: 0,
      };
      known.causes.add(cause.id);
      known.weight += WEIGHT[reading.clue.role];
      asks.set(key, known);
    }
  }
  return [...asks.values()]
    .sort((a, b) => b.weight / b.cost - a.weight / a.cost)
    .slice(0, limit)
    .map(({ ask: one, causes }) => ({ ...one, settles: [...causes] }));
}

/** A missing necessary fact or an unchecked exclusion keeps a verdict open; a proof would close it. */
export const WEIGHT = { needs: 4, proves: 5, excludes: 2, supports: 1 } as const;

/** With a proof in hand only what keeps the verdict open is asked for; with certainty, nothing. */
export function worthAsking(verdict: Verdict): readonly Reading[] {
  if (verdict.kind === 'found' && verdict.confidence === 'certain') return [];
  const open = verdict.readings.filter((reading) => reading.state === 'unseen' || isHearsayOnly(reading));
  const proved = verdict.readings.some(
    ({ clue, state, facts }) => clue.role === 'proves' && state === 'seen' && facts.some(({ hearsay }) => !hearsay),
  );
  const settling = open.filter(({ clue }) => clue.role === 'needs' || clue.role === 'excludes' || (clue.role === 'proves' && !proved));
  return settling.length > 0 ? settling : open;
}

/** What somebody said is worth a look of one's own. */
function isHearsayOnly({ clue, state, facts }: Reading): boolean {
  return state === 'seen' && clue.role !== 'supports' && facts.every(({ hearsay }) => hearsay);
}

function commandFor(reading: Reading, place: EntityId, base: FactBase) {
  const { clue, about } = reading;
  const channel = clue.line ? clue.line.channels[0] : CHANNELS_OF[clue.from as FactKind][0];
  const probe = probeFor(clue.from as FactKind, channel);
  const slots = slotsOf(about, place, base);
  return {
    command: probe.command(slots),
    where: probe.where === 'node' ? slots.node : 'anywhere',
    cost: probe.cost,
    tells: probe.tells,
    channel: channel ?? 'prose',
  } as const;
}

function slotsOf(about: EntityId, place: EntityId, base: FactBase): ProbeSlots {
  const entity = entityOf(about);
  const pod = entity.kind === 'Container' ? entityOf(entity.parent ?? about) : entity.kind === 'Pod' ? entity : undefined;
  const container =
    entity.kind === 'Container' ? entity.name : entityOf(place).kind.endsWith('Container') ? entityOf(place).name : undefined;
  const node = entity.kind === 'Node' ? about : (base.topology.climb(about, 'Node') ?? base.topology.climb(place, 'Node'));
  const named = (name: string | undefined, fallback: string) =>
    name && name !== UNKNOWN && !name.includes(':') ? shellWord(name) : fallback;
  return {
    namespace: named(pod?.namespace ?? entity.namespace ?? entityOf(place).namespace, 'NAMESPACE'),
    pod: named(pod?.name, 'POD'),
    node: named(node ? entityOf(node).name : undefined, PHRASES.theNode),
    ...(container && container !== UNKNOWN ? { container: shellWord(container) } : {}),
  };
}
