import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { createHttpsPort } from './https-port.ts';
import { fixed } from './identities.ts';
import type { ClusterPort } from './port.ts';
import type { Right, Verb } from './rights.ts';
import { sendJson, serve, whenDone } from './testing-api.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels: Readonly<Record<string, string>> };
  readonly rules?: readonly Rule[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace: string }[];
}

const text = readFileSync(new URL('../../../deploy/rbac.yaml', import.meta.url), 'utf8');
export const manifests: Manifest[] = parseAllDocuments(text).map((document) => document.toJS());

export const ACCOUNT: Readonly<Record<Right['tier'], string>> = {
  namespace: 'podcause-namespace-reader',
  cluster: 'podcause-cluster-reader',
  deep: 'podcause-deep',
  fixer: 'podcause-fixer',
};

/** Rules of an account, each with the only namespace it counts in. */
export function granted(tier: Right['tier']): { readonly rule: Rule; readonly only: string | undefined }[] {
  return manifests
    .filter(({ subjects }) => subjects?.some(({ name }) => name === ACCOUNT[tier]))
    .flatMap(({ roleRef, metadata }) => {
      const role = manifests.find(
        (one) =>
          one.kind === roleRef?.kind &&
          one.metadata.name === roleRef.name &&
          one.metadata.namespace === (one.kind === 'Role' ? metadata.namespace : undefined),
      );
      if (!role?.rules) throw new Error(`no role for ${metadata.name}`);
      return role.rules.map((rule) => ({ rule, only: metadata.namespace }));
    });
}

export interface Used {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
}

export function mayDo(tier: Right['tier'], { verb, group, resource, namespace }: Used): boolean {
  return granted(tier).some(
    ({ rule, only }) =>
      rule.verbs.includes(verb) &&
      rule.apiGroups.includes(group) &&
      rule.resources.includes(resource) &&
      (only === undefined || only === namespace),
  );
}

/** The right that a request uses; undefined for paths that are no objects, such as /version. */
export function rightUsed(method: string, path: string): Used | undefined {
  const parts = (path.split('?', 1)[0] ?? '').split('/').filter((part) => part !== '');
  const group = parts[0] === 'apis' ? parts[1] : parts[0] === 'api' ? '' : undefined;
  if (group === undefined) return undefined;
  let rest = parts.slice(group === '' ? 2 : 3);
  let namespace: string | undefined;
  if (rest[0] === 'namespaces' && rest.length > 2 && rest[2] !== 'finalize') {
    namespace = rest[1];
    rest = rest.slice(2);
  }
  const [plural, name, subresource] = rest;
  if (plural === undefined) return undefined;
  const verb = VERBS[method] ?? (name === undefined ? 'list' : 'get');
  return {
    verb,
    group,
    resource: subresource === undefined ? plural : `${plural}/${subresource}`,
    ...(namespace !== undefined ? { namespace } : {}),
  };
}

const VERBS: Readonly<Record<string, Verb>> = { POST: 'create', DELETE: 'delete', LIST: 'list', PATCH: 'patch', PUT: 'update' };

export function wordsOf({ verb, group, resource }: Used): string {
  return `${verb} ${resource}${group && `.${group}`}`;
}

/** A server of ours that keeps what it was asked. */
export async function openRecorded(
  answer: (method: string, path: string, body: string) => { status?: number; body: unknown },
): Promise<{ port: ClusterPort; requests: [string, string][] }> {
  const requests: [string, string][] = [];
  const { url } = await serve((request, response) => {
    let sent = '';
    request.on('data', (chunk) => {
      sent += chunk;
    });
    request.on('end', () => {
      const { method = '', url: path = '' } = request;
      requests.push([method, path]);
      const { status = 200, body } = answer(method, path, sent);
      if (typeof body === 'string') response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
      else sendJson(response, status, body);
    });
  });
  const port = createHttpsPort({
    link: { server: new URL(url), tls: { rejectUnauthorized: true }, compressed: false },
    credentials: fixed({ headers: {} }),
    namespace: 'default',
    timing: { pause: 1 },
  });
  whenDone(() => port.close());
  return { port, requests };
}
