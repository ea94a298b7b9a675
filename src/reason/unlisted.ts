import type { FactBase } from '../facts/fact-base.ts';
import { type EntityId, entityOf, UNKNOWN } from '../model/entity.ts';
import type { Fact, Symptom } from '../model/facts.ts';
import type { Examined } from '../model/finding.ts';
import type { Ask, Undecided } from '../model/report.ts';
import { ask } from './ask.ts';
import { comparedOf, type Draft, victimOf } from './incident.ts';
import { placeName } from './names.ts';
import { mostTelling, mostTellingOfAll } from './own-words.ts';
import { PHRASES, SYMPTOM_PHRASES } from './phrases.ts';
import { isReadyNode } from './ready-node.ts';
import type { Say } from './say.ts';
import type { Scope, SymptomFact } from './scope.ts';
import { shellWord } from './shell-word.ts';
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
  say: Say,
): { drafts: Draft[]; undecided: Undecided[] } {
  const drafts: Draft[] = [];
  const undecided: Undecided[] = [];
  for (const leftover of groupLeftovers(unexplained, base)) {
    const pods = [...new Set(leftover.symptoms.map(({ about }) => about))];
    const error = mostTelling(pods, base, scope);
    if (error) drafts.push(draftOwnWords(error, leftover, base, scope, say));
    else undecided.push(undecidedOf(leftover, open, base, say));
  }
  return { drafts, undecided };
}

/** Evidence without any symptom may still hold an error somebody pasted alone. */
export function answerLoneError(base: FactBase, scope: Scope, say: Say): Draft | undefined {
  const error = mostTellingOfAll(base);
  if (!error) return undefined;
  const listsHealthyPods = base.all('pod.status').length > 0;
  const grave = error.level === 'fatal' || (error.last && error.ownVoice && error.level === 'error');
  if (listsHealthyPods && !grave) return undefined;
  // What a journal complains of in passing is no incident where the node itself says that it is ready.
  if (!grave && isReadyNode(base.topology.climb(error.about, 'Node') ?? error.about, base)) return undefined;
  // A claim that is bound has got over what was said while it waited.
  if (!grave && base.of('object.status', error.about).some(({ status }) => status === 'Bound')) return undefined;
  return draftOwnWords(error, { place: error.about, symptoms: [] }, base, scope, say);
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

function draftOwnWords(error: Fact<'log.error'>, { place, symptoms }: Leftover, base: FactBase, scope: Scope, say: Say): Draft {
  const victims = victimsOf(symptoms, base, say);
  const ids = victims.map(({ id }) => id);
  const speaker = error.channel === 'prose' ? say(PHRASES.shown) : placeName(error.about, say);
  const who = error.component && error.component !== '?' ? error.component : speaker;
  return {
    cause: NOT_IN_CATALOGUE,
    area: 'unknown',
    title: say(PHRASES.says, { who, what: error.innermost }),
    why: say(PHRASES.ownWords, { message: error.message }),
    place: placeName(place, say),
    placeId: place,
    confidence: 'possible',
    chain: [],
    victims,
    victimCount: victims.length,
    because: [
      {
        clue: 'own-words',
        role: 'supports',
        says: error.last ? say(PHRASES.lastWords) : error.count > 1 ? say(PHRASES.saidTimes, { times: error.count }) : say(PHRASES.gravest),
        ...(error.hearsay ? { hearsay: true } : {}),
        cited: error.cited.slice(0, 6),
        count: error.count,
      },
    ],
    not: [],
    rivals: [],
    fixes: [],
    asks: basicAsks({ place, symptoms }, say),
    timeline: timelineOf(place, ids, base, scope),
    ...comparedOf(place, ids, base, scope, say),
  };
}

function undecidedOf(leftover: Leftover, open: readonly Examined[], base: FactBase, say: Say): Undecided {
  const pods = new Set(leftover.symptoms.map(({ about }) => about));
  const kinds = new Set(leftover.symptoms.map(({ symptom }) => symptom));
  const candidates = open.filter(({ cause, place }) => cause.explains.some((symptom) => kinds.has(symptom)) && concerns(place, pods, base));
  const asks = ask(candidates, base, say, 4);
  return {
    says: says(kinds, pods.size, candidates.length, say),
    victims: victimsOf(leftover.symptoms, base, say),
    open: candidates.slice(0, 12).map(({ cause }) => ({ cause: cause.id, name: say(cause.text.name) })),
    asks: withBasics(asks, leftover, base, say),
  };
}

function says(kinds: ReadonlySet<Symptom>, count: number, open: number, say: Say): string {
  const what = [...kinds].map((kind) => say(SYMPTOM_PHRASES[kind])).reduce((one, other) => say(PHRASES.and, { one, other }));
  const who = count === 1 ? say(PHRASES.it) : say(PHRASES.eachOf, { count });
  if (open === 0) return say(PHRASES.unexplained, { who, what });
  return open === 1 ? say(PHRASES.undecidedOne, { who, what }) : say(PHRASES.undecided, { who, what, open });
}

/** A pod of which neither events nor log were shown is asked for those first: they tell most, whatever it is. */
function withBasics(asks: readonly Ask[], leftover: Leftover, base: FactBase, say: Say): readonly Ask[] {
  const about = leftover.symptoms[0]?.about ?? leftover.place;
  const basics = basicAsks(leftover, say).filter(({ channel }) => asks.length === 0 || base.coverage.extent(channel, about) === undefined);
  const commands = new Set(basics.map(({ command }) => command));
  return [...basics, ...asks.filter(({ command }) => !commands.has(command))].slice(0, 4);
}

/** Where no cause was even woken, the describe and the log are what tells most. */
function basicAsks({ symptoms }: Leftover, say: Say) {
  const victim = symptoms[0];
  if (!victim) return [];
  const { kind, namespace, name } = entityOf(victim.about);
  if (kind !== 'Pod')
    return [
      {
        tells: say(PHRASES.tellsNode),
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
      tells: say(PHRASES.tellsDescribe),
      command: `kubectl describe pod ${pod}${where}`,
      where: 'anywhere',
      channel: 'pod-events' as const,
      settles: [],
    },
    {
      tells: say(PHRASES.tellsLog),
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

function victimsOf(symptoms: readonly SymptomFact[], base: FactBase, say: Say) {
  const byEntity = new Map<EntityId, SymptomFact[]>();
  for (const symptom of symptoms) byEntity.set(symptom.about, [...(byEntity.get(symptom.about) ?? []), symptom]);
  return [...byEntity].map(([id, facts]) => victimOf(id, facts, base, say));
}
