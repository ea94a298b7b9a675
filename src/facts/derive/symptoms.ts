import { type EntityId, entityOf } from '../../model/entity.ts';
import type { Fact, Symptom } from '../../model/facts.ts';
import type { FactBase } from '../fact-base.ts';
import { type Show, symptomOfEvent } from './event-symptoms.ts';
import { isDeleted, isEndingInTime, isGone, isYoung } from './patience.ts';
import { isStoppedLately } from './stops.ts';

const RECENT_SECONDS = 15 * 60;

const BY_STATUS: Readonly<Record<string, Symptom>> = {
  CrashLoopBackOff: 'crash-loop',
  Error: 'crash-loop',
  OOMKilled: 'oom',
  ErrImagePull: 'image-pull',
  ImagePullBackOff: 'image-pull',
  ErrImageNeverPull: 'image-pull',
  InvalidImageName: 'image-pull',
  ImageInspectError: 'image-pull',
  RegistryUnavailable: 'image-pull',
  SignatureValidationFailed: 'image-pull',
  CreateContainerConfigError: 'config-error',
  CreateContainerError: 'create-error',
  RunContainerError: 'create-error',
  ContainerCannotRun: 'create-error',
  StartError: 'create-error',
  PostStartHookError: 'create-error',
  Pending: 'pending',
  SchedulingGated: 'pending',
  ContainerCreating: 'creating',
  PodInitializing: 'creating',
  Evicted: 'evicted',
  Terminating: 'stuck-terminating',
  Unknown: 'not-ready',
  NotReady: 'not-ready',
  ContainerStatusUnknown: 'failed',
  UnexpectedAdmissionError: 'failed',
  NodeAffinity: 'failed',
  MatchNodeSelector: 'failed',
  NodeShutdown: 'failed',
  Shutdown: 'failed',
  Terminated: 'failed',
  Preempting: 'failed',
  SysctlForbidden: 'failed',
  TopologyAffinityError: 'failed',
  SMTAlignmentError: 'failed',
  VolumeAttachmentLimitExceeded: 'failed',
  Failed: 'failed',
  DeadlineExceeded: 'failed',
};
// Reasons come from evidence; one called `constructor` must find nothing.
Object.setPrototypeOf(BY_STATUS, null);

/** kubectl says so also of a deleted pod, once its containers have ended. */
const ENDED: ReadonlySet<string> = new Set(['Error', 'Failed', 'Completed', 'Succeeded']);

/** What the user sees, as facts about pods and nodes: each must end explained or openly unexplained. */
export function deriveSymptoms(base: FactBase): void {
  const seen = new Set<string>();
  function show(about: EntityId, symptom: Symptom, from: Fact, container?: string, detail?: string): void {
    const key = `${about}|${symptom}`;
    if (seen.has(key)) return;
    // A journal speaks of pods that are long gone; the list of all pods knows.
    if (from.kind !== 'pod.status' && isGone(base, about)) return;
    seen.add(key);
    base.add({
      kind: 'pod.symptom',
      about,
      cited: from.cited,
      symptom,
      ...(from.when !== undefined ? { when: from.when } : {}),
      ...(container ? { container } : {}),
      ...(detail ? { detail } : {}),
      ...(from.hearsay ? { hearsay: true } : {}),
    });
  }
  for (const told of base.all('pod.symptom')) seen.add(`${told.about}|${told.symptom}`);
  for (const status of base.all('pod.status')) symptomsOfStatus(base, status, show);
  for (const condition of base.all('pod.condition')) symptomOfCondition(base, condition, show);
  for (const waiting of base.all('container.waiting')) symptomOfWaiting(base, waiting, show);
  for (const end of base.all('container.terminated')) symptomOfEnd(base, end, show);
  for (const event of base.all('pod.event')) symptomOfEvent(base, event, show);
}

function symptomsOfStatus(base: FactBase, status: Fact<'pod.status'>, show: Show): void {
  const text = status.status;
  const young = isYoung(base, status.about);
  if (text === 'Running') {
    symptomsOfRunning(base, status, show);
    return;
  }
  if (isDeleted(base, status.about) && ENDED.has(text)) {
    if (!isEndingInTime(base, status.about)) show(status.about, 'stuck-terminating', status, undefined, 'Terminating');
    return;
  }
  if (text === 'Completed' && isBetweenRuns(base, status)) {
    show(status.about, 'restarts', status, undefined, `${status.restarts} restarts`);
    return;
  }
  if (text === 'Completed' || text === 'Succeeded') {
    if (!base.of('pod.completed', status.about).length)
      base.add({ kind: 'pod.completed', about: status.about, cited: status.cited, ok: true });
    return;
  }
  if (text.startsWith('Init:')) {
    const init = symptomOfInit(text.slice('Init:'.length));
    if (!(young && init === 'init-stuck')) show(status.about, init, status, undefined, text);
    return;
  }
  const named = BY_STATUS[text] ?? (/^(ExitCode|Signal):/.test(text) ? 'crash-loop' : /^OutOf/.test(text) ? 'failed' : undefined);
  // A state nobody has heard of is no health as long as containers are not ready.
  const symptom = named ?? ((status.readyContainers ?? 0) < (status.containers ?? 0) ? 'not-ready' : undefined);
  if (symptom === undefined) return;
  const patient = symptom === 'pending' || symptom === 'creating' || symptom === 'stuck-terminating';
  if (symptom === 'stuck-terminating' && isEndingInTime(base, status.about)) return;
  if (!(young && patient)) show(status.about, symptom, status, undefined, text);
}

/** Its container ended well and will be started again: no end of the pod. */
function isBetweenRuns(base: FactBase, { about, phase, restarts = 0 }: Fact<'pod.status'>): boolean {
  if (phase === 'Succeeded' || (restarts < 2 && !isStoppedLately(base, about))) return false;
  return phase === 'Running' || base.of('pod.restart-policy', about).some(({ policy }) => policy === 'Always');
}

function symptomOfInit(rest: string): Symptom {
  if (/^\d+\/\d+$/.test(rest)) return 'init-stuck';
  const symptom = BY_STATUS[rest];
  return symptom === undefined || symptom === 'crash-loop' ? 'init-crash' : symptom;
}

function symptomsOfRunning(base: FactBase, status: Fact<'pod.status'>, show: Show): void {
  const { readyContainers, containers, restarts = 0, lastRestartAgo, ageSeconds } = status;
  const unready = readyContainers !== undefined && containers !== undefined && readyContainers < containers;
  const often = restarts >= 3 && ageSeconds !== undefined && ageSeconds / restarts < RECENT_SECONDS;
  const stopped = restarts > 0 && isStoppedLately(base, status.about);
  const lately = stopped || (restarts >= 2 && (lastRestartAgo !== undefined ? lastRestartAgo < RECENT_SECONDS : often));
  if (lately) {
    show(status.about, 'restarts', status, undefined, `${restarts} restarts`);
  } else if (unready && !isYoung(base, status.about)) {
    show(status.about, 'not-ready', status, undefined, `${readyContainers}/${containers} ready`);
  } else if (restarts > 0) {
    base.add({
      kind: 'pod.history',
      about: status.about,
      cited: status.cited,
      restarts,
      ...(lastRestartAgo !== undefined ? { lastRestartAgo } : {}),
    });
  }
}

/**
 * A pod whose containers are ready and which is not: its node is silent, or a readiness gate is shut. Listings show it
 * as Running and ready, but it gets no traffic.
 */
function symptomOfCondition(base: FactBase, condition: Fact<'pod.condition'>, show: Show): void {
  const { about, type, status, reason } = condition;
  if (type !== 'Ready' || status !== 'False' || reason === 'PodCompleted') return;
  const runs = base.of('pod.status', about).some((one) => one.status === 'Running' && one.readyContainers === one.containers);
  // Only what names a reason may still be starting; a silent node's pods lose their readiness without one.
  if (!runs || (reason !== undefined && isYoung(base, about)) || isDeleted(base, about)) return;
  show(about, 'not-ready', condition, undefined, reason ?? 'not ready, though its containers are');
}

function symptomOfWaiting(base: FactBase, waiting: Fact<'container.waiting'>, show: Show): void {
  const { parent, name } = entityOf(waiting.about);
  const symptom = BY_STATUS[waiting.reason];
  if (parent === undefined || symptom === undefined || symptom === 'creating') return;
  const init = base.of('container.spec', waiting.about).some((spec) => spec.init);
  show(parent, init && symptom === 'crash-loop' ? 'init-crash' : symptom, waiting, name, waiting.reason);
}

function symptomOfEnd(base: FactBase, end: Fact<'container.terminated'>, show: Show): void {
  const { parent, name } = entityOf(end.about);
  if (parent === undefined) return;
  if (end.reason === 'OOMKilled' && (end.which === 'current' || hasSymptom(base, parent) || keepsRestarting(base, end.about, parent)))
    show(parent, 'oom', end, name, 'OOMKilled');
  // A deleted pod's container that ended was told to.
  if (end.which === 'current' && (end.exitCode ?? 0) !== 0 && end.reason !== 'OOMKilled' && !isDeleted(base, parent)) {
    const init = end.init === true || base.of('container.spec', end.about).some((spec) => spec.init);
    show(
      parent,
      init ? 'init-crash' : end.reason === 'StartError' || end.reason === 'ContainerCannotRun' ? 'create-error' : 'crash-loop',
      end,
      name,
      `exit code ${end.exitCode}`,
    );
  }
}

/** Many restarts and nothing that says they are long over: the container runs only until the next one. */
function keepsRestarting(base: FactBase, container: EntityId, pod: EntityId): boolean {
  const often = base.of('container.restarts', container).some(({ count }) => count >= 5);
  const over =
    base.of('pod.history', pod).length > 0 || base.of('container.running', container).some(({ forSeconds }) => (forSeconds ?? 0) > 60 * 60);
  return often && !over;
}

function hasSymptom(base: FactBase, pod: EntityId): boolean {
  return base.of('pod.symptom', pod).length > 0;
}
