import { CHANNELS_OF } from '../facts/coverage.ts';
import type { FactBase } from '../facts/fact-base.ts';
import type { Channel } from '../model/channel.ts';
import { type EntityId, entityOf, UNKNOWN } from '../model/entity.ts';
import type { FactKind, Symptom } from '../model/facts.ts';
import type { Examined, Reading } from '../model/finding.ts';
import { WEIGHT, worthAsking } from './ask.ts';
import type { SymptomFact } from './scope.ts';

/** Evidence that a live diagnosis should get next. */
export interface Wanted {
  readonly channel: Channel;
  /** A pod or container for what belongs to it, else its node. */
  readonly about: EntityId;
  readonly weight: number;
  /** Causes it would settle. */
  readonly causes: readonly string[];
}

/** The evidence that open verdicts lack, what settles most first. */
export function wantedBy(examined: readonly Examined[], symptoms: readonly SymptomFact[], base: FactBase): Wanted[] {
  const wanted = new Map<string, { channel: Channel; about: EntityId; weight: number; causes: Set<string> }>();
  function want(channel: Channel, about: EntityId, weight: number, cause?: string): void {
    if (about.includes(UNKNOWN)) return;
    const key = `${channel}|${about}`;
    const known = wanted.get(key) ?? { channel, about, weight: 0, causes: new Set<string>() };
    known.weight += weight;
    if (cause !== undefined) known.causes.add(cause);
    wanted.set(key, known);
  }
  for (const { cause, verdict, symptoms: explained } of examined) {
    if (verdict.kind !== 'undecided' && verdict.kind !== 'found') continue;
    for (const reading of worthAsking(verdict)) {
      for (const about of aboutAll(reading, explained)) {
        for (const channel of channelsOf(reading)) want(channel, about, WEIGHT[reading.clue.role], cause.id);
      }
    }
  }
  for (const { symptom, about } of symptoms) for (const channel of FIRST_LOOK[symptom] ?? []) want(channel, about, 3);
  return [...wanted.values()]
    .filter(({ channel, about }) => base.coverage.extent(channel, about) === undefined)
    .sort((a, b) => b.weight - a.weight)
    .map((one) => ({ ...one, causes: [...one.causes] }));
}

/** What tells most of a symptom whatever its cause: an app that ends says why in its log. */
const FIRST_LOOK: { readonly [S in Symptom]?: readonly Channel[] } = {
  'crash-loop': ['container-log'],
  'init-crash': ['container-log'],
  'init-stuck': ['container-log'],
  restarts: ['container-log'],
  'not-ready': ['container-log'],
  failed: ['container-log'],
  'node-not-ready': ['kubelet-health', 'kubelet-log', 'kubelet-config'],
};

/** A pod's own evidence is wanted of each victim, a host's of the node. */
function aboutAll({ about }: Reading, symptoms: readonly SymptomFact[]): readonly EntityId[] {
  if (entityOf(about).kind !== 'Pod' || symptoms.length === 0) return [about];
  return [...new Set([about, ...symptoms.map((one) => one.about)])].filter((id) => entityOf(id).kind === 'Pod');
}

function channelsOf({ clue }: Reading): readonly Channel[] {
  return clue.line ? clue.line.channels : CHANNELS_OF[clue.from as FactKind];
}
