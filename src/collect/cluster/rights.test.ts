import { describe, expect, it } from 'vitest';
import { checkRights, FIX_RIGHTS, RIGHTS, type Right } from './rights.ts';
import { mayDo, openRecorded } from './testing-rbac.ts';

describe('checking rights', () => {
  function reviewer(tier: Right['tier']) {
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
    ['fixer', {}, 'cluster'],
  ] as const)('as the %s account, for %j: %s', async (account, scope, tier) => {
    const { port, requests } = await openRecorded(reviewer(account));
    const found = await checkRights(port, scope);
    expect(found).toMatchObject({ tier, how: 'asked', mayFix: account === 'fixer' });
    expect(found.answers.map(({ right }) => right)).toEqual([...RIGHTS, ...FIX_RIGHTS]);
    expect(found.answers[0]?.reason).toBe(`for ${account}`);
    expect(requests).toHaveLength(RIGHTS.length + FIX_RIGHTS.length);
  });

  it('tries lists where reviews are refused, and leaves the rest open', async () => {
    const { port, requests } = await openRecorded((method, path) => {
      if (method === 'POST') return { status: 403, body: { message: 'no reviews' } };
      if (path.startsWith('/api/v1/nodes')) return { status: 403, body: { message: 'nodes is forbidden' } };
      if (path.startsWith('/apis/policy/v1/')) return { status: 404, body: {} };
      return { body: { items: [] } };
    });
    const found = await checkRights(port, { namespace: 'shop' });
    expect(found).toMatchObject({ how: 'tried', tier: undefined, mayFix: undefined });
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
    const { port } = await openRecorded(() => ({ status: 401, body: {} }));
    await expect(checkRights(port, {})).rejects.toMatchObject({ kind: 'unauthorized' });
  });
});
