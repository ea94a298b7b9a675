import type { FactBase } from '../facts/fact-base.ts';
import { type EntityId, entityOf, UNKNOWN } from '../model/entity.ts';
import type { Fact, Symptom } from '../model/facts.ts';
import type { Examined } from '../model/finding.ts';
import type { Confidence, Incident, Rival, Victim } from '../model/report.ts';
import { ask } from './ask.ts';
import type { Group } from './correlate.ts';
import { placeName, podName } from './names.ts';
import type { Scope, SymptomFact } from './scope.ts';
import { timelineOf } from './timeline.ts';
import { wordFinding, wordRuledOut } from './word.ts';

const VICTIMS_LISTED = 200;
const NOT_SHOWN = 6;

export type Draft = Omit<Incident, 'number'>;

export function draftIncident(group: Group, ruledOut: readonly Examined[], base: FactBase, scope: Scope): Draft {
  const { root, chain } = group;
  const words = wordFinding(root);
  const victims = victimsOf(group, base);
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
    place: placeName(root.place),
    placeId: root.place,
    confidence: confidenceOf(group),
    chain: chain.map((link) => {
      const { title, why, because } = wordFinding(link);
      return { cause: link.cause.id, title, why, place: placeName(link.place), confidence: sureness(link), because };
    }),
    victims: victims.slice(0, VICTIMS_LISTED),
    victimCount: victims.length,
    because: words.because,
    not: [
      ...words.not,
      ...others.map((other) => ({ ...wordRuledOut(other), says: `${other.cause.text.name}: ${wordRuledOut(other).says}` })),
    ]
      .filter(({ cited, looked }) => cited.length + looked.length > 0)
      .slice(0, NOT_SHOWN),
    rivals: group.rivals.slice(0, 4).map(rivalOf),
    fixes: words.fixes,
    asks: ask([root, ...group.rivals.slice(0, 2)], base, 4),
    timeline: timelineOf(root.place, ids, base, scope),
    ...recoveredOf(group, base),
  };
}

/** With nothing broken in sight and something necessary unseen, a finding is no more than a possibility. */
function confidenceOf({ root, symptoms }: Group): Confidence {
  const sure = sureness(root);
  const open = root.verdict.readings.some(({ state, clue }) => state === 'unseen' && clue.role === 'needs');
  return symptoms.length === 0 && open ? 'possible' : sure;
}

export function sureness({ verdict }: Examined): Confidence {
  return verdict.kind === 'found' ? verdict.confidence : 'possible';
}

function rivalOf(rival: Examined): Rival {
  const { title, because } = wordFinding(rival);
  return { cause: rival.cause.id, title, place: placeName(rival.place), confidence: sureness(rival), because };
}

function victimsOf({ root, symptoms }: Group, base: FactBase): Victim[] {
  const byEntity = new Map<EntityId, { facts: SymptomFact[]; through: Examined }>();
  for (const { symptom, through } of symptoms) {
    const known = byEntity.get(symptom.about);
    if (known) known.facts.push(symptom);
    else byEntity.set(symptom.about, { facts: [symptom], through });
  }
  if (byEntity.size === 0) return root.wokenBy.flatMap((id) => bystander(id, base)).slice(0, 20);
  return [...byEntity].map(([id, { facts, through }]) => victimOf(id, facts, base, through === root ? undefined : through.cause.id));
}

export function victimOf(id: EntityId, facts: readonly SymptomFact[], base: FactBase, through?: string): Victim {
  const node = base.topology.nodeOf(id);
  const detail = facts.find((fact) => fact.detail !== undefined)?.detail;
  return {
    id,
    name: entityOf(id).kind === 'Pod' ? podName(id) : placeName(id),
    symptoms: [...new Set(facts.map(({ symptom }) => symptom))],
    cited: facts.flatMap(({ cited }) => cited).slice(0, 3),
    ...(detail ? { detail } : {}),
    ...(node && entityOf(node).name !== UNKNOWN ? { node: entityOf(node).name } : {}),
    ...(through ? { through } : {}),
  };
}

/** Where no symptom was seen, the pod whose line gave it away stands for the victims. */
function bystander(id: EntityId, base: FactBase): Victim[] {
  const entity = entityOf(id);
  const pod = entity.kind === 'Container' ? entity.parent : entity.kind === 'Pod' ? id : undefined;
  if (pod === undefined || entityOf(pod).name === UNKNOWN) return [];
  return [victimOf(pod, [], base)];
}

function touches(place: EntityId, rootPlace: EntityId, victims: readonly EntityId[], base: FactBase): boolean {
  if (place === rootPlace) return true;
  const { kind } = entityOf(place);
  return victims.some((victim) => base.topology.climb(victim, kind) === place);
}

/** A later listing in the same evidence may show the same pods well again: people paste before and after. */
function recoveredOf({ symptoms }: Group, base: FactBase): { recovered?: string } {
  const pods = [...new Set(symptoms.map(({ symptom }) => symptom.about))];
  const well = pods.filter((pod) => {
    const statuses = base.of('pod.status', pod);
    return statuses.some(isWell) && statuses.some(({ status }) => status !== 'Running');
  });
  if (well.length === 0 || well.length * 2 < pods.length) return {};
  return { recovered: `${well.length} of ${pods.length} stand as Running and ready elsewhere in the same evidence` };
}

function isWell({ status, readyContainers, containers }: Fact<'pod.status'>): boolean {
  return status === 'Running' && readyContainers !== undefined && readyContainers === containers;
}
