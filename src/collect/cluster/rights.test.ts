import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { containerLog } from './container-logs.ts';
import { discover } from './discover.ts';
import { createHttpsPort } from './https-port.ts';
import { fixed } from './identities.ts';
import { listDocument } from './list-documents.ts';
import { LISTS } from './lists.ts';
import { kubeletConfigz, kubeletHealth, nodeLog } from './node-proxy.ts';
import type { ClusterPort } from './port.ts';
import { readHosts } from './read-host.ts';
import { referredObject } from './referred-objects.ts';
import { checkRights, RIGHTS, type Right, TIERS, type Tier, type Verb } from './rights.ts';
import { sendJson, serve } from './testing-api.ts';

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
const manifests: Manifest[] = parseAllDocuments(text).map((document) => document.toJS());

const ACCOUNT: Readonly<Record<Tier, string>> = {
  namespace: 'podcause-namespace-reader',
  cluster: 'podcause-cluster-reader',
  deep: 'podcause-deep',
};

/** Rules of an account, each with the only namespace it counts in. */
function granted(tier: Tier): { readonly rule: Rule; readonly only: string | undefined }[] {
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

interface Used {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
}

function mayDo(tier: Tier, { verb, group, resource, namespace }: Used): boolean {
  return granted(tier).some(
    ({ rule, only }) =>
      rule.verbs.includes(verb) &&
      rule.apiGroups.includes(group) &&
      rule.resources.includes(resource) &&
      (only === undefined || only === namespace),
  );
}

/** The right that a request uses; undefined for paths that are no objects, such as /version. */
function rightUsed(method: string, path: string): Used | undefined {
  const parts = (path.split('?', 1)[0] ?? '').split('/').filter((part) => part !== '');
  const group = parts[0] === 'apis' ? parts[1] : parts[0] === 'api' ? '' : undefined;
  if (group === undefined) return undefined;
  let rest = parts.slice(group === '' ? 2 : 3);
  let namespace: string | undefined;
  if (rest[0] === 'namespaces' && rest.length > 2) {
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

const VERBS: Readonly<Record<string, Verb>> = { POST: 'create', DELETE: 'delete', LIST: 'list' };

function hasTier(tier: Tier, right: Right): boolean {
  return TIERS.indexOf(right.tier) <= TIERS.indexOf(tier);
}

function wordsOf({ verb, group, resource }: Used): string {
  return `${verb} ${resource}${group && `.${group}`}`;
}

const ports: ClusterPort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

async function open(
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
  ports.push(port);
  return { port, requests };
}

/** A server that has everything, so that every collector goes all its ways. */
async function collecting(collect: (port: ClusterPort) => Promise<unknown>): Promise<Used[]> {
  const { port, requests } = await open((_method, path) => {
    if (path.includes('/proxy/logs/')) return { body: '<pre>\n<a href="syslog">"syslog"</a>' };
    if (path.includes('/log?')) return { body: 'said' };
    if (/\/pods\/[^/]+$/.test(path)) return { body: { status: { phase: 'Succeeded' } } };
    return { body: { kind: 'List', metadata: {}, items: [], groups: [] } };
  });
  await collect(port);
  expect(requests.length).toBeGreaterThan(0);
  return requests.flatMap(([method, path]) => rightUsed(method, path) ?? []);
}

async function lists(port: ClusterPort, namespace?: string): Promise<void> {
  for (const kind of LISTS) {
    if (namespace !== undefined && (!kind.namespaced || kind.only !== undefined)) continue;
    for (const version of kind.versions) {
      const list = listDocument(port, kind, version, namespace === undefined ? {} : { namespace });
      for await (const page of list?.document.pages?.() ?? []) expect(page.bytes.length).toBeGreaterThan(0);
    }
  }
}

const LIMITS = { tailLines: 10, limitBytes: 1000 };

const COLLECTORS: readonly [string, Tier, (port: ClusterPort) => Promise<unknown>][] = [
  ['which APIs there are', 'namespace', discover],
  ['lists of one namespace', 'namespace', (port) => lists(port, 'default')],
  ['lists of the cluster', 'cluster', (port) => lists(port)],
  ['whether all pods may be listed', 'cluster', (port) => port.request({ path: '/api/v1/pods?limit=1' })],
  ['pods of one node', 'cluster', (port) => port.request({ path: '/api/v1/pods?fieldSelector=spec.nodeName%3Dn1' })],
  ['logs', 'namespace', (port) => containerLog(port, { namespace: 'default', pod: 'p', container: 'c', previous: true }, LIMITS)],
  ['config maps', 'namespace', (port) => referredObject(port, { plural: 'configmaps', namespace: 'default', name: 'm' })],
  ['service accounts', 'namespace', (port) => referredObject(port, { plural: 'serviceaccounts', namespace: 'default', name: 'a' })],
  ['secrets', 'deep', (port) => referredObject(port, { plural: 'secrets', namespace: 'default', name: 's' })],
  ['kubelet configuration', 'deep', (port) => kubeletConfigz(port, 'n1')],
  ['kubelet health', 'deep', (port) => kubeletHealth(port, 'n1')],
  [
    'node logs',
    'deep',
    (port) => Promise.all((['kubelet-log', 'kernel-log'] as const).map((channel) => nodeLog(port, 'n1', channel, LIMITS))),
  ],
  ['hosts', 'deep', (port) => readHosts(port, ['n1'], { image: 'i', script: 's', startSeconds: 1, runSeconds: 1 })],
];

describe('deploy/rbac.yaml', () => {
  it.each(COLLECTORS)('allows %s to the %s tier and those above it', async (_name, tier, collect) => {
    for (const used of await collecting(collect)) {
      expect(RIGHTS.map((right) => wordsOf(right))).toContain(wordsOf(used));
      for (const other of TIERS.slice(TIERS.indexOf(tier))) {
        const inScope = other === 'namespace' || tier !== 'namespace' || used.namespace !== undefined;
        if (inScope) expect([other, wordsOf(used), mayDo(other, used)]).toEqual([other, wordsOf(used), true]);
      }
    }
  });

  it.each(TIERS)('gives the %s tier the rights of the table and nothing else', (tier) => {
    const wanted = RIGHTS.filter((right) => hasTier(tier, right)).map(
      (right) => `${wordsOf(right)}${right.only === undefined ? '' : ` in ${right.only}`}`,
    );
    const given = granted(tier).flatMap(({ rule, only }) =>
      rule.apiGroups.flatMap((group) =>
        rule.resources.flatMap((resource) =>
          rule.verbs.map((verb) => `${wordsOf({ verb, group, resource })}${only === undefined || only === 'default' ? '' : ` in ${only}`}`),
        ),
      ),
    );
    expect([...new Set(given)].sort()).toEqual([...new Set(wanted)].sort());
    expect(given.length).toBe(new Set(given).size);
    expect(given.join(' ')).not.toContain('*');
  });

  it('keeps the namespace tier in its namespace, and the readers from secrets and nodes', () => {
    expect(granted('namespace').every(({ only }) => only === 'default')).toBe(true);
    for (const tier of ['namespace', 'cluster'] as const) {
      const resources = granted(tier).flatMap(({ rule }) => rule.resources);
      expect(resources).not.toContain('secrets');
      expect(resources).not.toContain('nodes/proxy');
      expect(granted(tier).flatMap(({ rule }) => rule.verbs)).not.toContain('create');
    }
  });

  it('labels every object with its tier, and has an account for each', () => {
    const components = ['namespace-reader', 'cluster-reader', 'deep'];
    for (const { metadata } of manifests) expect(components).toContain(metadata.labels['app.kubernetes.io/component']);
    const accounts = manifests.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.name);
    expect(accounts).toEqual(TIERS.map((tier) => ACCOUNT[tier]));
  });
});

describe('checking rights', () => {
  function reviewer(tier: Tier) {
    return (_method: string, path: string, sent: string) => {
      expect(path).toBe('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews');
      const { verb, group, resource, subresource, namespace } = JSON.parse(sent).spec.resourceAttributes;
      const used = { verb, group, resource: subresource ? `${resource}/${subresource}` : resource, ...(namespace ? { namespace } : {}) };
      return { status: 201, body: { kind: 'SelfSubjectAccessReview', status: { allowed: mayDo(tier, used), reason: `for ${tier}` } } };
    };
  }

  it.each([
    ['namespace', { namespace: 'default' }, 'namespace'],
    ['namespace', { namespace: 'other' }, undefined],
    ['namespace', {}, undefined],
    ['cluster', {}, 'cluster'],
    ['cluster', { namespace: 'other' }, 'cluster'],
    ['deep', {}, 'deep'],
  ] as const)('as the %s account, for %j: %s', async (account, scope, tier) => {
    const { port, requests } = await open(reviewer(account));
    const found = await checkRights(port, scope);
    expect(found).toMatchObject({ tier, how: 'asked' });
    expect(found.answers.map(({ right }) => right)).toEqual(RIGHTS);
    expect(found.answers[0]?.reason).toBe(`for ${account}`);
    expect(requests).toHaveLength(RIGHTS.length);
  });

  it('tries lists where reviews are refused, and leaves the rest open', async () => {
    const { port, requests } = await open((method, path) => {
      if (method === 'POST') return { status: 403, body: { message: 'no reviews' } };
      if (path.startsWith('/api/v1/nodes')) return { status: 403, body: { message: 'nodes is forbidden' } };
      if (path.startsWith('/apis/policy/v1/')) return { status: 404, body: {} };
      return { body: { items: [] } };
    });
    const found = await checkRights(port, { namespace: 'shop' });
    expect(found).toMatchObject({ how: 'tried', tier: undefined });
    const answer = (verb: string, resource: string) =>
      found.answers.find(({ right }) => right.verb === verb && right.resource === resource);
    expect(answer('list', 'pods')).toMatchObject({ allowed: true });
    expect(answer('list', 'nodes')).toMatchObject({ allowed: false, reason: 'nodes is forbidden' });
    expect(answer('list', 'poddisruptionbudgets')).toMatchObject({ allowed: true });
    expect(answer('create', 'pods')?.allowed).toBeUndefined();
    const tried = requests.filter(([method]) => method === 'GET').map(([, path]) => path);
    expect(tried).toContain('/api/v1/namespaces/shop/pods?limit=1');
    expect(tried).toContain('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases?limit=1');
    expect(requests.every(([method, path]) => method === 'GET' || path.endsWith('/selfsubjectaccessreviews'))).toBe(true);
  });

  it('throws where there is no getting through', async () => {
    const { port } = await open(() => ({ status: 401, body: {} }));
    await expect(checkRights(port, {})).rejects.toMatchObject({ kind: 'unauthorized' });
  });
});
