import type { FactBase } from '../facts/fact-base.ts';
import { type EntityId, entityOf, UNKNOWN } from '../model/entity.ts';
import type { Fact, Symptom } from '../model/facts.ts';
import type { Examined } from '../model/finding.ts';
import type { Confidence, Incident, Rival, Victim } from '../model/report.ts';
import { ask } from './ask.ts';
import { compareWithHealthy } from './compare.ts';
import type { Group } from './correlate.ts';
import { placeName, podName } from './names.ts';
import { PHRASES } from './phrases.ts';
import type { Say } from './say.ts';
import type { Scope, SymptomFact } from './scope.ts';
import { timelineOf } from './timeline.ts';
import { wordFinding, wordRuledOut } from './word.ts';

const VICTIMS_LISTED = 200;
const NOT_SHOWN = 6;

export type Draft = Omit<Incident, 'number'>;

export function draftIncident(group: Group, ruledOut: readonly Examined[], base: FactBase, scope: Scope, say: Say): Draft {
  const { root, chain } = group;
  const words = wordFinding(root, say);
  const victims = victimsOf(group, base, say);
  const ids = victims.map(({ id }) => id);
  const symptoms = new Set<Symptom>(victims.flatMap((victim) => victim.symptoms));
  const others = ruledOut.filter(
    ({ cause, place, verdict }) =>
      verdict.kind === 'ruled-out' &&
      verdict.by?.state === 'seen' &&
      cause.explains.some((symptom) => symptoms.has(symptom)) &&
      touches(place, root.place, ids, base),
  );
  return {
    cause: root.cause.id,
    area: root.cause.area,
    title: words.title,
    why: words.why,
    place: placeName(root.place, say),
    placeId: root.place,
    confidence: confidenceOf(group, base),
    chain: chain.map((link) => {
      const { title, why, because } = wordFinding(link, say);
      return { cause: link.cause.id, title, why, place: placeName(link.place, say), confidence: sureness(link), because };
    }),
    victims: victims.slice(0, VICTIMS_LISTED),
    victimCount: victims.length,
    because: words.because,
    not: [
      ...words.not,
      ...others.map((other) => {
        const ruled = wordRuledOut(other, say);
        return { ...ruled, says: say(PHRASES.ruledOutBy, { name: say(other.cause.text.name), says: ruled.says }) };
      }),
    ]
      .filter(({ cited, looked }) => cited.length + looked.length > 0)
      .slice(0, NOT_SHOWN),
    rivals: group.rivals.slice(0, 4).map((rival) => rivalOf(rival, say)),
    fixes: words.fixes,
    asks: ask([root, ...group.rivals.slice(0, 2)], base, say, 4),
    timeline: timelineOf(root.place, ids, base, scope),
    ...recoveredOf(group, base, say),
    ...comparedOf(root.place, ids, base, scope, say),
  };
}

export function comparedOf(
  place: EntityId,
  victims: readonly EntityId[],
  base: FactBase,
  scope: Scope,
  say: Say,
): Pick<Incident, 'compared'> {
  const compared = compareWithHealthy(place, victims, base, scope, say);
  return compared.length > 0 ? { compared } : {};
}

/**
 * With nothing broken in sight and something necessary unseen, a finding is no more than a possibility; nor is the trouble of a pod
 * that nobody names, where every pod that is listed is well.
 */
function confidenceOf({ root, symptoms }: Group, base: FactBase): Confidence {
  const sure = sureness(root);
  const open = root.verdict.readings.some(({ state, clue }) => state === 'unseen' && clue.role === 'needs');
  if (symptoms.length === 0 && open) return 'possible';
  const about = symptoms.length === 0 ? [root.place] : symptoms.map(({ symptom }) => symptom.about);
  return about.every(isNameless) && allListedAreWell(base) ? 'possible' : sure;
}

const OF_PODS: ReadonlySet<string> = new Set(['Pod', 'Container', 'Workload', 'WorkloadContainer']);

function isNameless(id: EntityId): boolean {
  const { kind, name, parent } = entityOf(id);
  return OF_PODS.has(kind) && (name === UNKNOWN || (parent !== undefined && entityOf(parent).name === UNKNOWN));
}

/** One pod that is well may stand for itself; several are a listing. */
const LISTING = 3;

function allListedAreWell(base: FactBase): boolean {
  const named = new Set<EntityId>();
  for (const { about } of base.all('pod.status')) if (!isNameless(about)) named.add(about);
  return named.size >= LISTING && base.all('pod.symptom').every(({ about }) => isNameless(about));
}

export function sureness({ verdict }: Examined): Confidence {
  return verdict.kind === 'found' ? verdict.confidence : 'possible';
}

function rivalOf(rival: Examined, say: Say): Rival {
  const { title, because } = wordFinding(rival, say);
  return { cause: rival.cause.id, title, place: placeName(rival.place, say), confidence: sureness(rival), because };
}

function victimsOf({ root, symptoms }: Group, base: FactBase, say: Say): Victim[] {
  const byEntity = new Map<EntityId, { facts: SymptomFact[]; through: Examined }>();
  for (const { symptom, through } of symptoms) {
    const known = byEntity.get(symptom.about);
    if (known) known.facts.push(symptom);
    else byEntity.set(symptom.about, { facts: [symptom], through });
  }
  if (byEntity.size === 0) return root.wokenBy.flatMap((id) => bystander(id, base, say)).slice(0, 20);
  return [...byEntity].map(([id, { facts, through }]) => victimOf(id, facts, base, say, through === root ? undefined : through.cause.id));
}

export function victimOf(id: EntityId, facts: readonly SymptomFact[], base: FactBase, say: Say, through?: string): Victim {
  const node = base.topology.nodeOf(id);
  const detail = facts.find((fact) => fact.detail !== undefined)?.detail;
  return {
    id,
    name: entityOf(id).kind === 'Pod' ? podName(id, say) : placeName(id, say),
    symptoms: [...new Set(facts.map(({ symptom }) => symptom))],
    cited: facts.flatMap(({ cited }) => cited).slice(0, 3),
    ...(detail ? { detail } : {}),
    ...(node && entityOf(node).name !== UNKNOWN ? { node: entityOf(node).name } : {}),
    ...(through ? { through } : {}),
  };
}

/** Where no symptom was seen, the pod whose line gave it away stands for the victims. */
function bystander(id: EntityId, base: FactBase, say: Say): Victim[] {
  const entity = entityOf(id);
  const pod = entity.kind === 'Container' ? entity.parent : entity.kind === 'Pod' ? id : undefined;
  if (pod === undefined || entityOf(pod).name === UNKNOWN) return [];
  return [victimOf(pod, [], base, say)];
}

function touches(place: EntityId, rootPlace: EntityId, victims: readonly EntityId[], base: FactBase): boolean {
  if (place === rootPlace) return true;
  const { kind } = entityOf(place);
  return victims.some((victim) => base.topology.climb(victim, kind) === place);
}

/** A later listing in the same evidence may show the same pods well again: people paste before and after. */
function recoveredOf({ symptoms }: Group, base: FactBase, say: Say): { recovered?: string } {
  const pods = [...new Set(symptoms.map(({ symptom }) => symptom.about))];
  const well = pods.filter((pod) => {
    const statuses = base.of('pod.status', pod);
    return statuses.some(isWell) && statuses.some(({ status }) => status !== 'Running');
  });
  if (well.length === 0 || well.length * 2 < pods.length) return {};
  return { recovered: say(PHRASES.recovered, { well: well.length, all: pods.length }) };
}

function isWell({ status, readyContainers, containers }: Fact<'pod.status'>): boolean {
  return status === 'Running' && readyContainers !== undefined && readyContainers === containers;
}
