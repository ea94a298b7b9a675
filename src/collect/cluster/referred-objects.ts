import { namespaceId } from '../../model/entity.ts';
import { type Had, missing } from './had.ts';
import { ClusterError, type ClusterPort } from './port.ts';

export interface Referred {
  readonly plural: 'configmaps' | 'secrets' | 'serviceaccounts';
  readonly namespace: string;
  readonly name: string;
}

/** An object that a pod refers to: its name and keys. Values are dropped here, before anything else sees them. */
export async function referredObject(port: ClusterPort, { plural, namespace, name }: Referred): Promise<Had> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/${plural}/${encodeURIComponent(name)}`;
  const singular = plural.slice(0, -1);
  const command = `kubectl get ${singular} ${name} -n ${namespace} -o jsonpath='{.data}'`;
  const doc = `cluster/${plural}/${namespace}/${name}.json`;
  try {
    const { body, date } = await port.request({ path, accept: 'application/json', limitBytes: 8 << 20 });
    const bytes = Buffer.from(JSON.stringify(withoutValues(JSON.parse(Buffer.from(body).toString('utf8')))));
    return { documents: [{ name: doc, size: bytes.length, bytes, ...(date !== undefined ? { takenAt: date } : {}) }], unread: [] };
  } catch (error) {
    if (error instanceof ClusterError && error.kind === 'not-found') return absent(doc, { plural, namespace, name });
    const failure =
      error instanceof SyntaxError ? new ClusterError('invalid', `${singular} ${name}: the answer is no JSON`, { cause: error }) : error;
    return { documents: [], unread: [missing(failure, { doc, command, missed: [{ channel: 'objects', about: namespaceId(namespace) }] })] };
  }
}

/** That it is not there is an answer, in kubectl's words. */
function absent(doc: string, { plural, namespace, name }: Referred): Had {
  const text = `$ kubectl get ${plural} ${name} -n ${namespace}\nError from server (NotFound): ${plural} "${name}" not found\n`;
  const bytes = Buffer.from(text);
  return { documents: [{ name: doc.replace(/\.json$/, '.txt'), size: bytes.length, bytes }], unread: [] };
}

function withoutValues(object: unknown): unknown {
  if (typeof object !== 'object' || object === null) return {};
  const { apiVersion, kind, metadata, type, data, binaryData, secrets, imagePullSecrets } = object as Record<string, unknown>;
  const { name, namespace, uid, creationTimestamp, deletionTimestamp } = (metadata ?? {}) as Record<string, unknown>;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, creationTimestamp, ...(deletionTimestamp ? { deletionTimestamp } : {}) },
    ...(type ? { type } : {}),
    ...(data ? { data: keysOf(data) } : {}),
    ...(binaryData ? { binaryData: keysOf(binaryData) } : {}),
    ...(secrets ? { secrets } : {}),
    ...(imagePullSecrets ? { imagePullSecrets } : {}),
  };
}

function keysOf(data: unknown): Record<string, string> {
  return Object.fromEntries(Object.keys(data as object).map((key) => [key, '']));
}
