import { isRecord, parsed } from '../../collect/cluster/list-meta.ts';
import { ClusterError, type ClusterPort, type PatchType } from '../../collect/cluster/port.ts';
import type { DryRun, LiveObject, ObjectRef } from './cluster-plan.ts';
import { collectionPath, objectPath } from './refs.ts';

const MOST_BYTES = 16 * 1024 * 1024;
const MANAGER = 'podcause';
const DEEPEST = 200;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function decoded(body: Uint8Array, what: string): LiveObject {
  const object = isTooDeep(body) ? undefined : parsed(Buffer.from(body).toString());
  if (!isRecord(object)) throw new ClusterError('invalid', `${what}: the server answers with something that is no object.`);
  return object;
}

/** No object of the API is nested so deep, and whoever walks one would run out of stack. */
function isTooDeep(body: Uint8Array): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (quoted && byte === BACKSLASH) at++;
    else if (byte === QUOTE) quoted = !quoted;
    else if (quoted) continue;
    else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) depth--;
    if (depth > DEEPEST) return true;
  }
  return false;
}

export async function getObject(port: ClusterPort, ref: ObjectRef): Promise<LiveObject> {
  const path = objectPath(ref);
  const { body } = await port.request({ path, accept: 'application/json', limitBytes: MOST_BYTES });
  return decoded(body, `GET ${path}`);
}

/** Undefined where it is not there; every other failure goes on up. */
export async function findObject(port: ClusterPort, ref: ObjectRef): Promise<LiveObject | undefined> {
  try {
    return await getObject(port, ref);
  } catch (error) {
    if (error instanceof ClusterError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

/** All members of a collection, page by page. */
export async function listObjects(port: ClusterPort, of: Omit<ObjectRef, 'kind' | 'name'>, selector?: string): Promise<LiveObject[]> {
  const query = selector === undefined ? '' : `?labelSelector=${encodeURIComponent(selector)}`;
  const items: LiveObject[] = [];
  for await (const { bytes } of port.pages({ path: `${collectionPath(of)}${query}`, json: true })) {
    const page = decoded(bytes, of.plural)['items'];
    if (Array.isArray(page)) items.push(...page.filter(isRecord));
  }
  return items;
}

interface Patching {
  readonly type: PatchType;
  readonly body: unknown;
  readonly dryRun?: boolean;
}

export async function patchObject(port: ClusterPort, ref: ObjectRef, { type, body, dryRun }: Patching): Promise<LiveObject> {
  const path = `${objectPath(ref)}${writeQuery(dryRun)}`;
  const answer = await port.request({ method: 'PATCH', path, body, contentType: type, accept: 'application/json', limitBytes: MOST_BYTES });
  return decoded(answer.body, `PATCH ${objectPath(ref)}`);
}

export function writeQuery(dryRun: boolean | undefined): string {
  return dryRun ? `?dryRun=All&fieldManager=${MANAGER}` : `?fieldManager=${MANAGER}`;
}

/** Asks without doing, and words what came of it. */
export async function tried(attempt: () => Promise<unknown>): Promise<DryRun> {
  try {
    await attempt();
    return { outcome: 'accepted' };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    const why = error.said ?? error.message;
    if (error.kind === 'forbidden' || error.kind === 'unauthorized') return { outcome: 'forbidden', why };
    const wasJudged = error.status !== undefined && error.status < 500;
    return { outcome: wasJudged ? 'refused' : 'not-tried', why };
  }
}

export function isStatus(error: unknown, status: number): error is ClusterError {
  return error instanceof ClusterError && error.status === status;
}
