import type { Thought } from '../diagnose.ts';
import type { FactBase } from '../facts/fact-base.ts';
import { type EntityId, entityOf, UNKNOWN } from '../model/entity.ts';
import type { Incident, Report } from '../model/report.ts';

/** One look after a fix, seen with the eyes of the cause that was fixed. */
export interface Look {
  /** The cause is found again, by evidence newer than the fix. */
  readonly shows: boolean;
  /** Why it is out of the question now, in its own words; absent where nobody could look. */
  readonly ruledOut?: string;
  /** Its pods that are unwell. */
  readonly sick: readonly Patient[];
  readonly pods: readonly Patient[];
  /** Pods that had to go, and went. */
  readonly gone?: true;
}

export interface Patient {
  readonly id: EntityId;
  readonly name: string;
  /** As users read it: `CrashLoopBackOff`, `Running`. */
  readonly state: string;
  readonly restarts: number;
}

/** What the cause itself says of the new evidence: verification is the rule, asked again. */
export function lookAgain(before: Incident, now: { readonly report: Report; readonly thought: Thought }): Look {
  const { base, reasoned } = now.thought;
  const shows = now.report.incidents.some(
    (incident) =>
      (incident.cause === before.cause && (incident.placeId === before.placeId || sharesVictim(before, incident, base))) ||
      incident.chain.some(({ cause }) => cause === before.cause && sharesVictim(before, incident, base)),
  );
  const ruled = reasoned.ruledOut.find(({ cause, place }) => cause === before.cause && place === before.place);
  const pods = patientsOf(before, base);
  return {
    shows,
    ...(ruled ? { ruledOut: ruled.because.says } : {}),
    sick: pods.filter(({ id }) => symptomsOf(id, base).length > 0),
    pods,
    ...(pods.length === 0 && wereToGo(before) ? { gone: true } : {}),
  };
}

/** Deleted pods that did not go: to see none of them is the proof. */
function wereToGo({ victims }: Incident): boolean {
  const pods = victims.filter(({ id }) => entityOf(id).kind === 'Pod');
  return pods.length > 0 && pods.every(({ symptoms }) => symptoms.includes('stuck-terminating'));
}

/** The same pod, or one that the same controller made in its place. */
function sharesVictim(before: Incident, incident: Incident, base: FactBase): boolean {
  const workloads = workloadsOf(before, base);
  return [...workloadsOf(incident, base)].some((workload) => workloads.has(workload));
}

/** Those that own the pods that were hit, or could not make any. */
function workloadsOf({ victims }: Incident, base: FactBase): ReadonlySet<EntityId> {
  const ids = victims.map(({ id }) => id).filter((id) => ['Pod', 'Workload'].includes(entityOf(id).kind));
  return new Set(ids.flatMap((id) => base.topology.climb(id, 'Workload') ?? []));
}

/** The pods that were hit, and those their controllers made in their place. */
function patientsOf(before: Incident, base: FactBase): Patient[] {
  const workloads = workloadsOf(before, base);
  const restarts = restartsByPod(base);
  const found = new Map<EntityId, Patient>();
  for (const { about, status, restarts: counted = 0 } of base.all('pod.status')) {
    if (!workloads.has(base.topology.workloadOf(about))) continue;
    const { namespace = UNKNOWN, name } = entityOf(about);
    const state = symptomsOf(about, base)[0]?.detail ?? status;
    found.set(about, { id: about, name: `${namespace}/${name}`, state, restarts: Math.max(counted, restarts.get(about) ?? 0) });
  }
  return [...found.values()];
}

/** That it restarted lately is told by counting from the fix on, not by what lies before it. */
function symptomsOf(pod: EntityId, base: FactBase) {
  return base.of('pod.symptom', pod).filter(({ symptom }) => symptom !== 'restarts');
}

function restartsByPod(base: FactBase): ReadonlyMap<EntityId, number> {
  const sums = new Map<EntityId, number>();
  for (const { about, count } of base.all('container.restarts')) {
    const { parent } = entityOf(about);
    if (parent !== undefined) sums.set(parent, (sums.get(parent) ?? 0) + count);
  }
  return sums;
}

export type Judgement = 'fixed' | 'not-fixed' | 'unknown';

/** Over all looks of the quiet time. The rule alone is not enough, and well pods alone are not either. */
export function judge(looks: readonly Look[]): { readonly judgement: Judgement; readonly says: string } {
  const last = looks.at(-1);
  if (last === undefined) return { judgement: 'unknown', says: 'nobody looked' };
  if (last.shows) return { judgement: 'not-fixed', says: 'the cause still shows' };
  const [worst] = last.sick;
  if (worst !== undefined) {
    return {
      judgement: 'not-fixed',
      says: `${worst.name} is still unwell: ${worst.state}${last.sick.length > 1 ? `, and ${last.sick.length - 1} more` : ''}`,
    };
  }
  const restarted = restartedSince(looks);
  if (restarted !== undefined) return { judgement: 'not-fixed', says: `${restarted} restarted again meanwhile` };
  if (last.pods.length === 0 && last.ruledOut === undefined && !last.gone) {
    return { judgement: 'unknown', says: 'the cause does not show any more, but none of its pods is there to prove it' };
  }
  return {
    judgement: 'fixed',
    says: last.ruledOut ?? (last.gone ? 'the pods that had to go are gone' : 'the cause does not show any more'),
  };
}

/** A pod whose count rose between two looks at it. */
export function restartedSince(looks: readonly Look[]): string | undefined {
  const first = new Map<EntityId, number>();
  for (const { pods } of looks) {
    for (const { id, name, restarts } of pods) {
      const known = first.get(id);
      if (known !== undefined && restarts > known) return name;
      if (known === undefined) first.set(id, restarts);
    }
  }
  return undefined;
}
