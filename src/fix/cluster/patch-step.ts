import type { ClusterPort } from '../../collect/cluster/port.ts';
import { findObject, isStatus, patchObject } from './api.ts';
import type { JsonPatch, LiveObject, ObjectRef } from './cluster-plan.ts';
import { uidOf } from './meta.ts';
import { settled } from './patch-object.ts';

export type Patched =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'changed' }
  | { readonly outcome: 'refused'; readonly why: string };

const MOST_ATTEMPTS = 2;

/** Sends a patch whose tests the server holds against the object; `changed` where the object is not as the patch wants it. */
export async function sendPatch(port: ClusterPort, ref: ObjectRef, patch: JsonPatch, uid: string): Promise<Patched> {
  for (let attempt = 1; ; attempt++) {
    const object = await findObject(port, ref);
    const literal = object && uidOf(object) === uid ? settled(object, patch) : undefined;
    if (!literal) return { outcome: 'changed' };
    try {
      const body: JsonPatch = [{ op: 'test', path: '/metadata/uid', value: uid }, ...literal];
      await patchObject(port, ref, { type: 'application/json-patch+json', body });
      return { outcome: 'done' };
    } catch (error) {
      // The same answer comes for a test that failed and for a value that is not allowed: a second look tells which it was.
      if (!isStatus(error, 409) && !isStatus(error, 422)) throw error;
      if (attempt === MOST_ATTEMPTS) return { outcome: 'refused', why: error.said ?? error.message };
    }
  }
}

export type PatchSight = 'old' | 'new' | 'gone' | 'replaced' | 'changed';

/** How an object stands to a patch and its reverse; `uid` is that of the object that was changed, where it is known. */
export function sightOf(object: LiveObject | undefined, { patch, reverse }: Swapped, uid: string | undefined): PatchSight {
  if (!object) return 'gone';
  if (uid !== undefined && uidOf(object) !== uid) return 'replaced';
  if (settled(object, patch)) return 'old';
  return settled(object, reverse) ? 'new' : 'changed';
}

interface Swapped {
  readonly patch: JsonPatch;
  readonly reverse: JsonPatch;
}
