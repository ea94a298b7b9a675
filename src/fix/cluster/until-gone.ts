import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterError, type ClusterPort } from '../../collect/cluster/port.ts';
import { findObject } from './api.ts';
import type { ObjectRef } from './cluster-plan.ts';
import { uidOf } from './meta.ts';
import type { Patience } from './pod-restarts.ts';
import { nameOfRef } from './refs.ts';
import { Stopped } from './stopped.ts';

const PAUSE = 1_000;
const PATIENCE = 5 * 60_000;

/** Gone, or another of the same name in its place. */
export async function untilGone(port: ClusterPort, ref: ObjectRef, uid: string, patience: Patience): Promise<void> {
  const { wait = sleep, now = Date.now, patienceMilliseconds = PATIENCE } = patience;
  const end = now() + patienceMilliseconds;
  for (;;) {
    if (await isGone(port, ref, uid)) return;
    if (now() + PAUSE > end) {
      const seconds = Math.round(patienceMilliseconds / 1000);
      throw new Stopped(`${nameOfRef(ref)} was asked to go, but is still there after ${seconds} s`);
    }
    await wait(PAUSE);
  }
}

/** The pod was asked to go, so a refusal to let us look says nothing of that. */
async function isGone(port: ClusterPort, ref: ObjectRef, uid: string): Promise<boolean> {
  try {
    const object = await findObject(port, ref);
    return !object || uidOf(object) !== uid;
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    throw new Stopped(`${nameOfRef(ref)} was asked to go; whether it did could not be seen: ${error.message}`);
  }
}
