import { describe, expect, it } from 'vitest';
import { containerLog } from './container-logs.ts';
import { discover } from './discover.ts';
import { listDocument } from './list-documents.ts';
import { LISTS } from './lists.ts';
import { NodeLogs } from './node-logs.ts';
import { kubeletConfigz, kubeletHealth } from './node-proxy.ts';
import type { ClusterPort } from './port.ts';
import { readHosts } from './read-host.ts';
import { referredObject } from './referred-objects.ts';
import { FIX_RIGHTS, FIXER, RIGHTS, type Right, TIERS, type Tier } from './rights.ts';
import { ACCOUNT, granted, manifests, mayDo, openRecorded, rightUsed, type Used, wordsOf } from './testing-rbac.ts';

const ACCOUNTS = [...TIERS, FIXER] as const;

/** The fixer has what the cluster reader has, and its own. */
function rightsOf(tier: Right['tier']): readonly Right[] {
  if (tier === FIXER) return [...rightsOf('cluster'), ...FIX_RIGHTS];
  return RIGHTS.filter((right) => right.tier !== FIXER && TIERS.indexOf(right.tier) <= TIERS.indexOf(tier));
}

/** A server that has everything, so that every collector goes all its ways. */
async function collecting(collect: (port: ClusterPort) => Promise<unknown>): Promise<Used[]> {
  const { port, requests } = await openRecorded((_method, path) => {
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
    (port) => {
      const logs = new NodeLogs(port, LIMITS);
      return Promise.all((['kubelet-log', 'kernel-log'] as const).map((channel) => logs.read('n1', channel)));
    },
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

  it.each(ACCOUNTS)('gives the %s tier the rights of the table and nothing else', (tier) => {
    const wanted = rightsOf(tier).map((right) => `${wordsOf(right)}${right.only === undefined ? '' : ` in ${right.only}`}`);
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

  it('keeps the fixer from secrets, rights, and creating what runs; journals and the lock are in one namespace', () => {
    const given = granted(FIXER).flatMap(({ rule, only }) => rule.resources.map((resource) => ({ resource, verbs: rule.verbs, only })));
    const resources = given.map(({ resource }) => resource);
    expect(resources).not.toContain('secrets');
    expect(resources).not.toContain('nodes/proxy');
    expect(granted(FIXER).flatMap(({ rule }) => rule.apiGroups)).not.toContain('rbac.authorization.k8s.io');
    const created = given.filter(({ verbs }) => verbs.includes('create')).map(({ resource, only }) => [resource, only]);
    expect(created.sort()).toEqual([
      ['configmaps', 'podcause'],
      ['events', undefined],
      ['leases', 'podcause'],
      ['namespaces', undefined],
      ['pods/eviction', undefined],
    ]);
    expect(given.filter(({ verbs }) => verbs.includes('delete')).map(({ resource }) => resource)).toEqual(['pods']);
  });

  it('labels every object with its tier, and has an account for each', () => {
    const components = ['namespace-reader', 'cluster-reader', 'deep', 'fixer'];
    for (const { metadata } of manifests) expect(components).toContain(metadata.labels['app.kubernetes.io/component']);
    const accounts = manifests.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.name);
    expect(accounts).toEqual(ACCOUNTS.map((tier) => ACCOUNT[tier]));
  });
});
