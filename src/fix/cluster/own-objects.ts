import { isRecord, parsed } from '../../collect/cluster/list-meta.ts';
import { type ClusterAnswer, ClusterError, type ClusterPort } from '../../collect/cluster/port.ts';
import { isStatus, writeQuery } from './api.ts';
import type { LiveObject, ObjectRef } from './cluster-plan.ts';
import { textAt } from './meta.ts';
import { collectionPath, objectPath } from './refs.ts';

/** Journals and the lock live here; it is made with the first fix that is applied. */
export const OWN_NAMESPACE = 'podcause';

const OWN_LABELS = { 'app.kubernetes.io/name': 'podcause', 'app.kubernetes.io/managed-by': 'podcause' };
const MOST_BYTES = 4 * 1024 * 1024;

export interface Read {
  readonly object: LiveObject;
  /** The server's clock. */
  readonly date: number | undefined;
}

export async function readOwn(port: ClusterPort, ref: ObjectRef): Promise<Read | undefined> {
  try {
    const answer = await port.request({ path: objectPath(ref), accept: 'application/json', limitBytes: MOST_BYTES });
    return { object: decoded(answer, ref), date: answer.date };
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

/** Where the namespace is missing it is made first. */
export async function createOwn(port: ClusterPort, ref: ObjectRef, content: LiveObject): Promise<LiveObject> {
  const send = async () => {
    const path = `${collectionPath(ref)}${writeQuery(false)}`;
    return decoded(await port.request({ method: 'POST', path, body: whole(ref, content), accept: 'application/json' }), ref);
  };
  try {
    return await send();
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    await createNamespace(port);
    return send();
  }
}

/** Refused by the server (409) where somebody wrote it since `version`. */
export async function replaceOwn(port: ClusterPort, ref: ObjectRef, content: LiveObject, version: string): Promise<LiveObject> {
  const path = `${objectPath(ref)}${writeQuery(false)}`;
  return decoded(await port.request({ method: 'PUT', path, body: whole(ref, content, version), accept: 'application/json' }), ref);
}

export function versionOf(object: LiveObject): string {
  return textAt(object, ['metadata', 'resourceVersion']) ?? '';
}

function whole({ apiVersion, kind, name, namespace }: ObjectRef, content: LiveObject, version?: string): LiveObject {
  const { labels, ...rest } = content;
  const metadata = { name, namespace, labels: { ...OWN_LABELS, ...(isRecord(labels) ? labels : {}) } };
  return { apiVersion, kind, metadata: version === undefined ? metadata : { ...metadata, resourceVersion: version }, ...rest };
}

async function createNamespace(port: ClusterPort): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: OWN_NAMESPACE, labels: OWN_LABELS } };
  try {
    await port.request({ method: 'POST', path: `/api/v1/namespaces${writeQuery(false)}`, body, accept: 'application/json' });
  } catch (error) {
    if (!isStatus(error, 409)) throw error;
  }
}

function decoded({ body }: ClusterAnswer, { kind, name }: ObjectRef): LiveObject {
  const object = parsed(Buffer.from(body).toString());
  if (!isRecord(object)) throw new ClusterError('invalid', `${kind} ${name}: the server answers with something that is no object.`);
  return object;
}
