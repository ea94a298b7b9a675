import type { FactBase } from '../facts/fact-base.ts';
import { type EntityId, entityOf, UNKNOWN } from '../model/entity.ts';
import type { Fact, Symptom } from '../model/facts.ts';
import type { Examined } from '../model/finding.ts';
import type { Undecided } from '../model/report.ts';
import { ask } from './ask.ts';
import { type Draft, victimOf } from './incident.ts';
import { placeName, shellWord } from './names.ts';
import { mostTelling, mostTellingOfAll } from './own-words.ts';
import type { Scope, SymptomFact } from './scope.ts';
import { timelineOf } from './timeline.ts';

export const NOT_IN_CATALOGUE = 'not-in-catalogue';

interface Leftover {
  readonly place: EntityId;
  readonly symptoms: SymptomFact[];
}

/** Symptoms nobody claimed: answered in the evidence's own words where it has any, openly undecided where not. */
export function answerUnexplained(
  unexplained: readonly SymptomFact[],
  open: readonly Examined[],
  base: FactBase,
  scope: Scope,
): { drafts: Draft[]; undecided: Undecided[] } {
  const drafts: Draft[] = [];
  const undecided: Undecided[] = [];
  for (const leftover of groupLeftovers(unexplained, base)) {
    const pods = [...new Set(leftover.symptoms.map(({ about }) => about))];
    const error = mostTelling(pods, base, scope);
    if (error) drafts.push(draftOwnWords(error, leftover, base, scope));
    else undecided.push(undecidedOf(leftover, open, base));
  }
  return { drafts, undecided };
}

/** Evidence without any symptom may still hold an error somebody pasted alone. */
export function answerLoneError(base: FactBase, scope: Scope): Draft | undefined {
  const error = mostTellingOfAll(base);
  if (!error) return undefined;
  const listsHealthyPods = base.all('pod.status').length > 0;
  const grave = error.level === 'fatal' || (error.last && error.ownVoice && error.level === 'error');
  if (listsHealthyPods && !grave) return undefined;
  return draftOwnWords(error, { place: error.about, symptoms: [] }, base, scope);
}

function groupLeftovers(symptoms: readonly SymptomFact[], base: FactBase): Leftover[] {
  const groups = new Map<string, Leftover>();
  for (const symptom of symptoms) {
    const isPod = entityOf(symptom.about).kind === 'Pod';
    const place = isPod ? base.topology.workloadOf(symptom.about) : symptom.about;
    const known = groups.get(place);
    if (known) known.symptoms.push(symptom);
    else groups.set(place, { place, symptoms: [symptom] });
  }
  return [...groups.values()];
}

function draftOwnWords(error: Fact<'log.error'>, { place, symptoms }: Leftover, base: FactBase, scope: Scope): Draft {
  const victims = victimsOf(symptoms, base);
  const who = error.component && error.component !== '?' ? error.component : placeName(error.about);
  return {
    cause: NOT_IN_CATALOGUE,
    area: 'unknown',
    title: `${who} says: ${error.innermost}`,
    why: `No cause of the catalogue fits. This is the most telling error in the evidence, in its own words: ${error.message}`,
    place: placeName(place),
    placeId: place,
    confidence: 'possible',
    chain: [],
    victims,
    victimCount: victims.length,
    because: [
      {
        clue: 'own-words',
        role: 'supports',
        says: error.last
          ? 'the last words before the end'
          : error.count > 1
            ? `said ${error.count} times`
            : 'the gravest error in the evidence',
        ...(error.hearsay ? { hearsay: true } : {}),
        cited: error.cited.slice(0, 6),
        count: error.count,
      },
    ],
    not: [],
    rivals: [],
    fixes: [],
    asks: basicAsks({ place, symptoms }),
    timeline: timelineOf(
      place,
      victims.map(({ id }) => id),
      base,
      scope,
    ),
  };
}

function undecidedOf(leftover: Leftover, open: readonly Examined[], base: FactBase): Undecided {
  const pods = new Set(leftover.symptoms.map(({ about }) => about));
  const kinds = new Set(leftover.symptoms.map(({ symptom }) => symptom));
  const candidates = open.filter(({ cause, place }) => cause.explains.some((symptom) => kinds.has(symptom)) && concerns(place, pods, base));
  const asks = ask(candidates, base, 4);
  return {
    says: says(kinds, pods.size, candidates.length),
    victims: victimsOf(leftover.symptoms, base),
    open: candidates.slice(0, 12).map(({ cause }) => ({ cause: cause.id, name: cause.text.name })),
    asks: asks.length > 0 ? asks : basicAsks(leftover),
  };
}

const SYMPTOM_WORDS: Readonly<Record<Symptom, string>> = {
  'crash-loop': 'ends again and again',
  restarts: 'restarts again and again',
  pending: 'gets no node',
  creating: 'is on a node, but no container starts',
  'init-stuck': 'waits in an init container',
  'init-crash': 'fails in an init container',
  'image-pull': 'does not get its image',
  'config-error': 'refers to something that cannot be used',
  'create-error': 'cannot be created or started by the runtime',
  oom: 'is killed for memory',
  evicted: 'was evicted',
  failed: 'has failed',
  'not-ready': 'runs, but is not ready',
  'stuck-terminating': 'does not go away',
  'no-pods': 'gets no pods at all',
  'node-not-ready': 'is not ready',
  'kubelet-down': 'has a kubelet that does not stay up',
  'runtime-down': 'has a container runtime that does not stay up',
  'control-plane-down': 'has a control plane that does not answer',
  'volume-pending': 'waits for a volume',
  'other-trouble': 'shows an error',
};

function says(kinds: ReadonlySet<Symptom>, count: number, open: number): string {
  const what = [...kinds].map((kind) => SYMPTOM_WORDS[kind]).join(' and ');
  const who = count === 1 ? 'it' : `each of the ${count}`;
  const why = open > 0 ? `nothing shown decides between ${open} possible causes` : 'nothing shown says why';
  return `${who} ${what}, and ${why}`;
}

/** Where no cause was even woken, the describe and the log are what tells most. */
function basicAsks({ symptoms }: Leftover) {
  const victim = symptoms[0];
  if (!victim) return [];
  const { kind, namespace, name } = entityOf(victim.about);
  if (kind !== 'Pod')
    return [
      {
        tells: 'what the node and its kubelet say',
        command: `kubectl describe node ${shellWord(name)}`,
        where: 'anywhere',
        channel: 'node-status' as const,
        settles: [],
      },
    ];
  const where = namespace && namespace !== UNKNOWN ? ` -n ${shellWord(namespace)}` : '';
  const pod = name === UNKNOWN ? 'POD' : shellWord(name);
  return [
    {
      tells: "the pod's containers, states and events",
      command: `kubectl describe pod ${pod}${where}`,
      where: 'anywhere',
      channel: 'pod-events' as const,
      settles: [],
    },
    {
      tells: 'the last words of the container',
      command: `kubectl logs ${pod}${where} --all-containers --previous --tail=50`,
      where: 'anywhere',
      channel: 'container-log' as const,
      settles: [],
    },
  ];
}

function concerns(place: EntityId, pods: ReadonlySet<EntityId>, base: FactBase): boolean {
  const { kind } = entityOf(place);
  for (const pod of pods) {
    if (pod === place || base.topology.climb(pod, kind) === place) return true;
    if (place.startsWith(`${base.topology.climb(pod, 'Workload')}`.replace('Workload/', 'WorkloadContainer/'))) return true;
  }
  return false;
}

function victimsOf(symptoms: readonly SymptomFact[], base: FactBase) {
  const byEntity = new Map<EntityId, SymptomFact[]>();
  for (const symptom of symptoms) byEntity.set(symptom.about, [...(byEntity.get(symptom.about) ?? []), symptom]);
  return [...byEntity].map(([id, facts]) => victimOf(id, facts, base));
}
