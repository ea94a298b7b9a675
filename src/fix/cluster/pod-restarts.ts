import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterError, type ClusterPort } from '../../collect/cluster/port.ts';
import { findObject, isStatus, tried } from './api.ts';
import type { ClusterStep, ObjectRef } from './cluster-plan.ts';
import { controllerOf, isMirrorPod, isReady, isTerminating, textAt, uidOf } from './meta.ts';
import { nameOfRef, objectPath } from './refs.ts';
import type { LivePod } from './resolve.ts';
import { shown } from './values.ts';

export type RestartStep = Extract<ClusterStep, { readonly kind: 'restart-pod' }>;

/** One step for each pod that something makes anew; the others stay, and it is said why. */
export async function planRestarts(port: ClusterPort, pods: readonly LivePod[]): Promise<{ steps: RestartStep[]; refused: string[] }> {
  const steps: RestartStep[] = [];
  const refused: string[] = [];
  for (const { ref, object } of pods) {
    const controller = controllerWords(object);
    if (isMirrorPod(object)) refused.push(`${nameOfRef(ref)} is the image of a static pod: deleting it restarts nothing.`);
    else if (controller === undefined) refused.push(`${nameOfRef(ref)} has no controller that would make it anew, so it is not deleted.`);
    else steps.push(await planRestart(port, { ref, object }, controller));
  }
  return { steps, refused };
}

/** `ReplicaSet web-6b7f`. */
function controllerWords(pod: unknown): string | undefined {
  const controller = controllerOf(pod);
  return controller && `${shown(controller.kind)} ${shown(controller.name)}`;
}

async function planRestart(port: ClusterPort, { ref, object }: LivePod, controller: string): Promise<RestartStep> {
  const terminating = isTerminating(object);
  const by = terminating || !isReady(object) ? 'deletion' : 'eviction';
  const uid = uidOf(object);
  const state = terminating ? 'Terminating' : isReady(object) ? 'Ready' : 'not Ready';
  return {
    kind: 'restart-pod',
    object: ref,
    uid,
    by,
    controller,
    says: `${by === 'eviction' ? 'Evict' : 'Delete'} ${nameOfRef(ref)} (${state}); ${controller} makes a new one`,
    diff: [`- ${nameOfRef(ref)}, made by ${controller}`],
    risk: 'restarts-pods',
    undo: 'Nothing to bring back: a new pod is in its place.',
    dryRun: await tried(() => (by === 'eviction' ? evict(port, ref, uid, true) : remove(port, ref, uid, true))),
    notes: notesOf(object, terminating),
  };
}

function notesOf(pod: unknown, terminating: boolean): string[] {
  const finalizers = textAt(pod, ['metadata', 'finalizers', 0]);
  return [
    ...(terminating
      ? ['It is being deleted already and goes once its node has stopped it; it is not forced, as it may still run there.']
      : []),
    ...(terminating && finalizers !== undefined ? ['It also waits for a finalizer.'] : []),
  ];
}

export interface Patience {
  readonly wait?: (milliseconds: number) => Promise<void>;
  readonly now?: () => number;
  readonly patienceMilliseconds?: number;
}

const PREVIEW = 4_000;
const PAUSE = 5_000;
const PATIENCE = 5 * 60_000;

/** Done also where the pod is gone, or another has its name by now. */
export async function restartPod(port: ClusterPort, { object, uid, by }: RestartStep, patience: Patience): Promise<void> {
  if (by === 'eviction') await evictPod(port, object, uid, patience);
  else await unlessGone(port, object, uid, () => remove(port, object, uid, false));
}

/** Waits as long as a disruption budget says no. */
async function evictPod(port: ClusterPort, ref: ObjectRef, uid: string, patience: Patience = {}): Promise<void> {
  const { wait = sleep, now = Date.now, patienceMilliseconds = PATIENCE } = patience;
  const end = now() + patienceMilliseconds;
  for (;;) {
    try {
      await unlessGone(port, ref, uid, () => evict(port, ref, uid, false));
      return;
    } catch (error) {
      if (!(error instanceof ClusterError) || error.kind !== 'throttled' || now() + PAUSE > end) throw error;
      await wait(PAUSE);
    }
  }
}

async function unlessGone(port: ClusterPort, ref: ObjectRef, uid: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (isStatus(error, 404)) return;
    // A conflict is about the uid or about a budget that somebody else used at the same moment.
    const live = isStatus(error, 409) ? await findObject(port, ref) : undefined;
    if (!isStatus(error, 409) || (live && uidOf(live) === uid)) throw error;
  }
}

async function evict(port: ClusterPort, ref: ObjectRef, uid: string, dryRun: boolean): Promise<void> {
  const path = `${objectPath(ref)}/eviction${dryRun ? '?dryRun=All' : ''}`;
  const body = {
    kind: 'Eviction',
    metadata: { name: ref.name, namespace: ref.namespace },
    deleteOptions: { preconditions: { uid } },
  };
  // A preview does not wait for a budget: it says what the budget says.
  const timeout = dryRun ? { timeoutMilliseconds: PREVIEW } : {};
  try {
    await port.request({ method: 'POST', path, body: { apiVersion: 'policy/v1', ...body }, ...timeout });
  } catch (error) {
    // Servers before 1.22 know the older version of it only.
    if (!isStatus(error, 400)) throw error;
    await port.request({ method: 'POST', path, body: { apiVersion: 'policy/v1beta1', ...body }, ...timeout });
  }
}

async function remove(port: ClusterPort, ref: ObjectRef, uid: string, dryRun: boolean): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
  await port.request({ method: 'DELETE', path: `${objectPath(ref)}${dryRun ? '?dryRun=All' : ''}`, body });
}
