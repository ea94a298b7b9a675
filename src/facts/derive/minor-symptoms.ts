import { type EntityId, entityOf } from '../../model/entity.ts';
import type { Fact, Symptom } from '../../model/facts.ts';
import type { FactBase } from '../fact-base.ts';

/** Younger things may simply not have come round yet. */
const PATIENCE_SECONDS = 180;

/**
 * Trouble that mostly comes of something else: too few replicas, a service without endpoints, a scaler without figures.
 * It is a symptom only where the evidence shows nothing else: beside a pod, a node or an error it would ask for a second
 * explanation of the same thing.
 */
export function deriveMinorSymptoms(base: FactBase): void {
  const shown = ['pod.symptom', 'node.symptom', 'object.symptom'] as const;
  if (shown.some((kind) => base.all(kind).length > 0) || base.all('log.error').some(({ hearsay }) => hearsay !== true)) return;
  const told = new Set<EntityId>();
  function show(from: Fact, symptom: Symptom, detail: string): void {
    if (told.has(from.about)) return;
    told.add(from.about);
    base.add({ kind: 'object.symptom', about: from.about, cited: from.cited, symptom, detail });
  }
  const short = base.all('workload.replicas').filter(isShort);
  const spoken = short.length === 0 ? new Set<EntityId>() : speakersOf(base);
  for (const replicas of short) if (!isSpokenFor(base, replicas.about, spoken)) symptomOfReplicas(replicas, show);
  for (const status of base.all('object.status')) symptomOfStatus(status, show);
}

type Show = (from: Fact, symptom: Symptom, detail: string) => void;

function isShort({ desired = 0, ready, available, ageSeconds, hearsay }: Fact<'workload.replicas'>): boolean {
  if (hearsay || desired === 0 || (ageSeconds !== undefined && ageSeconds < PATIENCE_SECONDS)) return false;
  const well = ready ?? available;
  return well === undefined || well < desired;
}

/** Workloads of which the evidence shows pods, or that are listed themselves. */
function speakersOf(base: FactBase): Set<EntityId> {
  const speakers = new Set<EntityId>();
  for (const { about } of base.all('pod.status')) speakers.add(base.topology.workloadOf(about));
  for (const { about } of base.all('workload.replicas')) if (entityOf(about).type === 'Deployment') speakers.add(`listed:${about}`);
  return speakers;
}

/** The pods themselves say more, and a deployment speaks for its replica sets. */
function isSpokenFor(base: FactBase, workload: EntityId, speakers: ReadonlySet<EntityId>): boolean {
  const above = base.topology.climb(workload, 'Workload') ?? workload;
  return speakers.has(above) || (above !== workload && speakers.has(`listed:${above}`));
}

function symptomOfReplicas(replicas: Fact<'workload.replicas'>, show: Show): void {
  const { about, desired = 0, ready, available, updated, current } = replicas;
  const well = ready ?? available;
  const made = current ?? (entityOf(about).type === 'Deployment' ? updated : undefined);
  if (made === 0 && (well ?? 0) === 0) show(replicas, 'no-pods', `0 of ${desired} pods exist`);
  else if (well !== undefined) show(replicas, 'not-ready', `${well} of ${desired} ready`);
}

function symptomOfStatus(status: Fact<'object.status'>, show: Show): void {
  if (status.hearsay || (status.ageSeconds !== undefined && status.ageSeconds < PATIENCE_SECONDS)) return;
  const { type } = entityOf(status.about);
  const text = status.status;
  if (type === 'HorizontalPodAutoscaler' && text.includes('<unknown>')) show(status, 'other-trouble', `current figures ${text}`);
  if (type === 'ClusterOperator' && text !== 'available')
    show(status, 'other-trouble', `${text}${status.detail === undefined ? '' : `: ${status.detail}`}`);
  if (type === 'APIService' && /^False\b/.test(text)) show(status, 'other-trouble', `available ${text}`);
  if (type === 'Challenge' && /^(?:pending|invalid|errored)$/.test(text)) show(status, 'other-trouble', text);
  if (type === 'ScaledObject' && text === 'False') show(status, 'other-trouble', `ready ${text}`);
  if (type === 'Certificate' && text === 'False') show(status, 'other-trouble', `ready ${text}`);
  if (status.asked !== true) return;
  if (type === 'Namespace' && text === 'Terminating') show(status, 'stuck-terminating', text);
  if (type === 'Endpoints' && text === '<none>') show(status, 'other-trouble', 'no endpoints');
  if (type === 'Service' && text === 'pending') show(status, 'other-trouble', status.detail ?? text);
  if (type === 'Service' && text === '<none>' && status.detail !== undefined)
    show(status, 'other-trouble', `no endpoints, ${status.detail}`);
}
