import { describe, expect, it } from 'vitest';
import { applyCluster } from './apply-cluster.ts';
import type { ClusterStep, OnStep } from './cluster-plan.ts';
import { valueAt } from './json-pointer.ts';
import {
  ID,
  JOURNAL,
  LEASE,
  MEMORY,
  NODE,
  patchStep,
  planOf,
  QUOTA,
  quietly,
  RECORD,
  rawPatch,
  type Shop,
  specsOf,
  startShop,
  testClock,
  threePatches,
  WEB,
} from './testing-fixes.ts';

function apply(api: Shop, steps: readonly ClusterStep[], more = {}, onStep: OnStep = quietly) {
  return applyCluster(api.port, planOf(...steps), RECORD, onStep, testClock(more).options);
}

function eventsOf(api: Shop) {
  return api
    .paths()
    .filter((path) => path.includes('/events/'))
    .map((path) => api.get(path) ?? {});
}

describe('applying cluster changes', () => {
  it('does each step, writes it down before and after, and tells of it', async () => {
    const api = await startShop();
    const told: string[] = [];
    const outcome = await applyCluster(
      api.port,
      threePatches(api),
      RECORD,
      ({ index, state }) => void told.push(`${index} ${state}`),
      testClock().options,
    );
    expect(outcome).toMatchObject({ id: ID, state: 'done', steps: [{ state: 'done' }, { state: 'done' }, { state: 'done' }] });
    expect(valueAt(api.get(WEB), MEMORY)).toBe('128Mi');
    expect(valueAt(api.get(QUOTA), ['spec', 'hard', 'pods'])).toBe('10');
    expect(valueAt(api.get(NODE), ['spec', 'unschedulable'])).toBe(false);
    expect(told).toEqual(['0 begun', '0 done', '1 begun', '1 done', '2 begun', '2 done']);
    const about = api.writes().filter((write) => write === `PUT ${JOURNAL}` || write.startsWith('PATCH'));
    expect(about).toEqual([
      `PUT ${JOURNAL}`,
      `PATCH ${WEB}`,
      `PUT ${JOURNAL}`,
      `PUT ${JOURNAL}`,
      `PATCH ${QUOTA}`,
      `PUT ${JOURNAL}`,
      `PUT ${JOURNAL}`,
      `PATCH ${NODE}`,
      `PUT ${JOURNAL}`,
      `PUT ${JOURNAL}`,
    ]);
    expect(valueAt(api.get(LEASE), ['spec', 'holderIdentity'])).toBe('');
    expect(api.get('/api/v1/namespaces/podcause')).toMatchObject({ metadata: { labels: { 'app.kubernetes.io/managed-by': 'podcause' } } });
  });

  it('writes an event on every changed object, in its namespace or in default', async () => {
    const api = await startShop();
    await applyCluster(api.port, threePatches(api), RECORD, quietly, testClock().options);
    const events = eventsOf(api);
    expect(events.map((event) => valueAt(event, ['involvedObject', 'kind']))).toEqual(['Deployment', 'ResourceQuota', 'Node']);
    expect(events.map((event) => valueAt(event, ['metadata', 'namespace']))).toEqual(['shop', 'shop', 'default']);
    expect(events[0]).toMatchObject({ reason: 'PodcauseFix', involvedObject: { uid: 'uid-web', name: 'web' } });
    expect(events[0]?.['message']).toBe(`Set memory of web. By marla@desk, fix ${ID}, report r-77.`);
  });

  it('goes on without events where they may not be written, and says so', async () => {
    const api = await startShop({ forbids: ({ path }) => path.endsWith('/events') });
    const outcome = await applyCluster(api.port, threePatches(api), RECORD, quietly, testClock().options);
    expect(outcome.state).toBe('done');
    expect(outcome.steps[0]?.why).toContain(
      'no event could be written on Deployment shop/web: POST /api/v1/namespaces/shop/events is forbidden for this user',
    );
  });

  it.each(['configmaps', 'leases', 'namespaces'])('changes nothing where %s may not be written', async (plural) => {
    const api = await startShop({ forbids: ({ method, path }) => method !== 'GET' && path.endsWith(`/${plural}`) });
    const before = specsOf(api);
    const outcome = await applyCluster(api.port, threePatches(api), RECORD, quietly, testClock().options);
    expect(outcome).toMatchObject({
      state: 'refused',
      why: expect.stringContaining('is forbidden'),
      steps: [{ state: 'planned' }, { state: 'planned' }, { state: 'planned' }],
    });
    expect(specsOf(api)).toEqual(before);
    expect(api.writes().some((write) => write.startsWith('PATCH'))).toBe(false);
  });

  it('stops where somebody else changed the object since it was planned', async () => {
    const api = await startShop();
    const plan = threePatches(api);
    api.change(QUOTA, { spec: { hard: { pods: '5' } } });
    const outcome = await applyCluster(api.port, plan, RECORD, quietly, testClock().options);
    expect(outcome).toMatchObject({ state: 'stopped', why: 'ResourceQuota shop/small was changed by somebody else since it was planned' });
    expect(outcome.steps.map(({ state }) => state)).toEqual(['done', 'planned', 'planned']);
    expect(valueAt(api.get(QUOTA), ['spec', 'hard', 'pods'])).toBe('5');
    expect(valueAt(api.get(NODE), ['spec', 'unschedulable'])).toBe(true);
  });

  it('stops where somebody else changes it between the look and the patch', async () => {
    const api = await startShop({
      cuts: ({ method, path }) => {
        if (method === 'PATCH' && path === QUOTA) api.change(QUOTA, { spec: { hard: { pods: '7' } } });
        return undefined;
      },
    });
    const outcome = await applyCluster(api.port, threePatches(api), RECORD, quietly, testClock().options);
    expect(outcome).toMatchObject({ state: 'stopped', steps: [{ state: 'done' }, { state: 'planned' }, { state: 'planned' }] });
    expect(outcome.why).toContain('changed by somebody else');
    expect(valueAt(api.get(QUOTA), ['spec', 'hard', 'pods'])).toBe('7');
  });

  it('leaves an object alone that was deleted and made anew after the look', async () => {
    const api = await startShop({
      cuts: ({ method, path }) => {
        if (method === 'PATCH' && path === WEB) api.change(WEB, { metadata: { uid: 'uid-other' } });
        return undefined;
      },
    });
    const outcome = await applyCluster(api.port, threePatches(api), RECORD, quietly, testClock().options);
    expect(outcome.state).toBe('stopped');
    expect(valueAt(api.get(WEB), MEMORY)).toBe('64Mi');
  });

  it('says what the server has against a value', async () => {
    const api = await startShop({
      admits: (object, { path }) => {
        if (path === WEB) throw new Error('memory limit is above the maximum of 100Mi');
        return object;
      },
    });
    const outcome = await applyCluster(api.port, threePatches(api), RECORD, quietly, testClock().options);
    expect(outcome).toMatchObject({
      state: 'stopped',
      why: 'the server refuses it: memory limit is above the maximum of 100Mi',
      steps: [{ state: 'planned' }, {}, {}],
    });
  });

  it('skips what is so already, also where the server writes it another way', async () => {
    const api = await startShop();
    const plan = threePatches(api);
    const web = structuredClone(api.get(WEB) ?? {});
    const limits = valueAt(web, MEMORY.slice(0, -1)) as Record<string, string>;
    limits['memory'] = '131072Ki';
    api.change(WEB, web);
    const outcome = await applyCluster(api.port, plan, RECORD, quietly, testClock().options);
    expect(outcome).toMatchObject({
      state: 'done',
      steps: [{ state: 'skipped', why: 'Deployment shop/web is so already' }, { state: 'done' }, { state: 'done' }],
    });
    expect(api.writes()).not.toContain(`PATCH ${WEB}`);
  });

  it('refuses a second fix of the same id, and whatever no journal may hold', async () => {
    const api = await startShop();
    const step = patchStep(api, QUOTA, ['spec', 'hard', 'pods'], '10');
    expect(await apply(api, [step])).toMatchObject({ state: 'done' });
    expect((await apply(api, [step])).why).toContain('there is a journal of a fix');
    const writes = api.writes().length;
    const variable = '/spec/template/spec/containers/0/env/0';
    const secrets: ClusterStep[] = [
      rawPatch(
        [
          { op: 'test', path: `${variable}/name`, value: 'DB_PASSWORD' },
          { op: 'replace', path: `${variable}/value`, value: 'x' },
        ],
        [{ op: 'replace', path: `${variable}/value`, value: 'y' }],
      ),
      rawPatch([{ op: 'add', path: variable, value: { name: 'API_TOKEN', value: 'x' } }], [{ op: 'remove', path: variable }]),
      rawPatch(
        [{ op: 'add', path: '/spec/template/spec/containers/0/args', value: ['--password', 'x'] }],
        [{ op: 'remove', path: '/spec/template/spec/containers/0/args' }],
      ),
    ];
    for (const secret of secrets) {
      const outcome = await applyCluster(api.port, planOf(secret), { ...RECORD, id: 'other' }, quietly, testClock().options);
      expect(outcome).toMatchObject({ state: 'refused', why: expect.stringContaining('looks like a secret') });
    }
    const elsewhere = rawPatch([{ op: 'add', path: '/metadata/labels/x', value: 'y' }], [{ op: 'remove', path: '/metadata/labels/x' }]);
    expect(await applyCluster(api.port, planOf(elsewhere), { ...RECORD, id: 'other' }, quietly, testClock().options)).toMatchObject({
      state: 'refused',
    });
    expect(await applyCluster(api.port, planOf(step), { ...RECORD, id: '../x' }, quietly, testClock().options)).toMatchObject({
      state: 'refused',
    });
    expect(api.writes()).toHaveLength(writes);
  });

  it('does not take a toleration, a pull secret or a reference for a secret', async () => {
    const api = await startShop();
    const spec = '/spec/template/spec';
    const step = rawPatch(
      [
        { op: 'test', path: `${spec}/tolerations`, value: null },
        { op: 'add', path: `${spec}/tolerations`, value: [{ key: 'auth-tier', operator: 'Equal', value: 'gold', effect: 'NoSchedule' }] },
        { op: 'add', path: `${spec}/imagePullSecrets`, value: [{ name: 'registry-token' }] },
      ],
      [
        { op: 'remove', path: `${spec}/imagePullSecrets` },
        { op: 'remove', path: `${spec}/tolerations` },
      ],
    );
    expect(await apply(api, [step])).toMatchObject({ state: 'done' });
  });

  it.each([
    [
      { owner: { by: 'argo-cd', what: 'application shop', belongs: ['Change it in git.'], reverts: 'within-minutes' } },
      'Change it in git.',
    ],
    [{ owner: { by: 'static-pod', what: 'a file', belongs: ['Change the manifest.'], reverts: 'always-refused' } }, 'Change the manifest.'],
    [{ dryRun: { outcome: 'forbidden', why: 'may not patch' } }, 'may not patch'],
    [{ dryRun: { outcome: 'refused', why: 'field is immutable' } }, 'field is immutable'],
  ] as const)('refuses before anything is written: %j', async (more, words) => {
    const api = await startShop();
    const step = { ...patchStep(api, WEB, MEMORY, '128Mi'), ...more } as ClusterStep;
    const outcome = await apply(api, [patchStep(api, QUOTA, ['spec', 'hard', 'pods'], '10'), step]);
    expect(outcome).toMatchObject({ state: 'refused', why: expect.stringContaining(words) });
    expect(api.writes()).toEqual([]);
  });

  it('fights an owner only where it is told to', async () => {
    const api = await startShop();
    const owner = { by: 'flux', what: 'Kustomization shop', belongs: [], reverts: 'within-minutes' } as const;
    const step = { ...patchStep(api, WEB, MEMORY, '128Mi'), owner };
    expect(await apply(api, [step], { despiteOwner: true })).toMatchObject({ state: 'done' });
  });
});
