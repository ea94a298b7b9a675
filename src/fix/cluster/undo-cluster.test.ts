import { describe, expect, it } from 'vitest';
import { applyCluster } from './apply-cluster.ts';
import type { ClusterPlan } from './cluster-plan.ts';
import { valueAt } from './json-pointer.ts';
import { resumeCluster } from './resume-cluster.ts';
import { eventsOf } from './testing-cuts.ts';
import {
  finalizerStep,
  ID,
  JOURNAL,
  MEMORY,
  NEW_SET,
  NODE,
  patchStep,
  planOf,
  QUOTA,
  quietly,
  RECORD,
  restartStep,
  rolloutStep,
  type Shop,
  specsOf,
  startShop,
  testClock,
  threePatches,
  WEB,
} from './testing-fixes.ts';
import type { ApiOptions } from './testing-plan-api.ts';
import { undoCluster } from './undo-cluster.ts';

const { options } = testClock();
const undo = (shop: Shop) => undoCluster(shop.port, ID, quietly, { ...options, holder: 'theo@attic:7' });

async function fixed(plan: (shop: Shop) => ClusterPlan, api?: ApiOptions): Promise<Shop> {
  const shop = await startShop(api);
  expect(await applyCluster(shop.port, plan(shop), RECORD, quietly, options)).toMatchObject({ state: 'done' });
  return shop;
}

describe('undo', () => {
  it('brings everything back, the last step first, tells of it, and does nothing the second time', async () => {
    const before = specsOf(await startShop());
    const shop = await fixed(threePatches);
    const told: string[] = [];
    const outcome = await undoCluster(shop.port, ID, ({ index, state }) => void told.push(`${index} ${state}`), options);
    expect(outcome).toMatchObject({ state: 'undone', steps: [{ state: 'undone' }, { state: 'undone' }, { state: 'undone' }] });
    expect(told).toEqual(['2 undone', '1 undone', '0 undone']);
    expect(specsOf(shop)).toEqual(before);
    const events = eventsOf(shop, 'PodcauseUndo').map((path) => shop.get(path)?.['message']);
    expect(events[2]).toBe(`Taken back: Set memory of web. By marla@desk:41, fix ${ID}, report r-77.`);
    const written = shop.writes().filter((write) => write.startsWith('PATCH') || write === `PUT ${JOURNAL}`).length;
    expect(await undo(shop)).toMatchObject({ state: 'undone' });
    expect(shop.writes().filter((write) => write.startsWith('PATCH') || write === `PUT ${JOURNAL}`)).toHaveLength(written);
    expect((await resumeCluster(shop.port, ID, quietly, options)).why).toBe(`fix ${ID} was undone`);
  });

  it('takes away again what was not there before, although the server writes quantities its own way', async () => {
    const shop = await startShop({
      admits: (object) => JSON.parse(JSON.stringify(object).replace('"memory":"1.5Gi"', '"memory":"1536Mi"')),
    });
    const before = specsOf(shop);
    const plan = planOf(patchStep(shop, WEB, MEMORY, '1.5Gi'), patchStep(shop, QUOTA, ['spec', 'scopes'], ['BestEffort']));
    expect(await applyCluster(shop.port, plan, RECORD, quietly, options)).toMatchObject({ state: 'done' });
    expect(valueAt(shop.get(WEB), MEMORY)).toBe('1536Mi');
    expect(await undo(shop)).toMatchObject({ state: 'undone' });
    expect(specsOf(shop)).toEqual(before);
  });

  it('stops where somebody else changed the same field since, and leaves that and the steps before it', async () => {
    const shop = await fixed(threePatches);
    shop.change(QUOTA, { spec: { hard: { pods: '99' } } });
    const outcome = await undo(shop);
    expect(outcome).toMatchObject({
      state: 'stopped',
      why: 'ResourceQuota shop/small was changed by somebody else since; it is left as it is',
    });
    expect(outcome.steps.map(({ state }) => state)).toEqual(['done', 'done', 'undone']);
    expect(valueAt(shop.get(QUOTA), ['spec', 'hard', 'pods'])).toBe('99');
    expect(await resumeCluster(shop.port, ID, quietly, options)).toMatchObject({ state: 'refused', why: expect.stringContaining('undo') });
    shop.change(QUOTA, { spec: { hard: { pods: '2' } } });
    expect(await undo(shop)).toMatchObject({ state: 'undone' });
    expect(valueAt(shop.get(WEB), MEMORY)).toBe('64Mi');
  });

  it('keeps changes of other fields by somebody else', async () => {
    const shop = await fixed(threePatches);
    shop.change(QUOTA, { spec: { hard: { pods: '10', services: '3' } } });
    expect(await undo(shop)).toMatchObject({ state: 'undone' });
    expect(valueAt(shop.get(QUOTA), ['spec', 'hard'])).toEqual({ pods: '2', services: '3' });
  });

  it('says of what is gone, was made anew, or is not taken back by the server, that it stays', async () => {
    const shop = await fixed(threePatches, {
      admits: (object, { path }) => {
        if (path === QUOTA && valueAt(object, ['spec', 'hard', 'pods']) === '2') throw new Error('field can not be less than before');
        return object;
      },
    });
    shop.remove(NODE);
    shop.change(WEB, { metadata: { uid: 'uid-other' } });
    const { state, steps } = await undo(shop);
    expect(state).toBe('undone');
    expect(steps.map((step) => `${step.state}: ${step.why}`)).toEqual([
      'kept: Deployment shop/web was deleted and made anew since; the new one is left as it is',
      'kept: the server does not take it back: field can not be less than before',
      'kept: Node n1 is not there any more',
    ]);
    expect(valueAt(shop.get(WEB), MEMORY)).toBe('128Mi');
  });

  it('keeps what has no way back, and goes back to the revision it came from', async () => {
    const shop = await fixed(() => planOf(restartStep('deletion'), finalizerStep(), rolloutStep()));
    const { state, steps } = await undo(shop);
    expect(state).toBe('undone');
    expect(steps.map((step) => step.state)).toEqual(['kept', 'kept', 'undone']);
    expect(steps[0]?.why).toContain('cannot be brought back');
    expect(valueAt(shop.get(WEB), MEMORY)).toBe('64Mi');
  });

  it('keeps a rollout whose revision is gone, and stops at one whose template somebody changed', async () => {
    const gone = await fixed(() => planOf(rolloutStep()));
    gone.remove(NEW_SET);
    expect(await undo(gone)).toMatchObject({ state: 'undone', steps: [{ state: 'kept', why: 'the revision web-2 is not kept any more' }] });
    const changed = await fixed(() => planOf(rolloutStep()));
    changed.change(WEB, { spec: { template: { spec: { containers: [] } } } });
    expect(await undo(changed)).toMatchObject({ state: 'stopped', why: expect.stringContaining('changed by somebody else') });
  });

  it('refuses an id that has no journal, and leaves not even a lock', async () => {
    const shop = await startShop();
    for (const id of ['none', '../../secrets/x', '']) {
      expect(await undoCluster(shop.port, id, quietly, options)).toMatchObject({
        state: 'refused',
        why: expect.stringContaining('no journal'),
      });
      expect(await resumeCluster(shop.port, id, quietly, options)).toMatchObject({ state: 'refused' });
    }
    expect(shop.writes()).toEqual([]);
  });
});

describe('resume', () => {
  it('goes on with what stopped when the reason is gone, and is done the second time', async () => {
    const shop = await startShop();
    const plan = threePatches(shop);
    shop.change(QUOTA, { spec: { hard: { pods: '5' } } });
    expect(await applyCluster(shop.port, plan, RECORD, quietly, options)).toMatchObject({ state: 'stopped' });
    expect(await resumeCluster(shop.port, ID, quietly, options)).toMatchObject({ state: 'stopped' });
    shop.change(QUOTA, { spec: { hard: { pods: '2' } } });
    const resumed = await resumeCluster(shop.port, ID, quietly, options);
    expect(resumed).toMatchObject({ state: 'done', steps: [{ state: 'done' }, { state: 'done' }, { state: 'done' }] });
    expect(resumed.steps[1]).not.toHaveProperty('why');
    const written = shop.writes().filter((write) => write.startsWith('PATCH')).length;
    expect(await resumeCluster(shop.port, ID, quietly, options)).toMatchObject({ state: 'done' });
    expect(shop.writes().filter((write) => write.startsWith('PATCH'))).toHaveLength(written);
  });

  it('does not take for undone what an earlier run may have done, whatever it finds now', async () => {
    let isClosed = false;
    let isFirst = true;
    const shop = await startShop({
      cuts: ({ method, path }) => {
        if (method === 'PATCH' && path === WEB && isFirst) isClosed = true;
        return isClosed && method !== 'GET' && path !== WEB ? 'before' : undefined;
      },
    });
    const before = specsOf(shop);
    await applyCluster(shop.port, threePatches(shop), RECORD, quietly, options);
    isClosed = false;
    isFirst = false;
    const template = shop.get(WEB)?.['spec'];
    shop.change(WEB, { spec: { template: { spec: { containers: [{ name: 'app', resources: { limits: { memory: '99Mi' } } }] } } } });
    const now = { ...options, gone: () => true };
    const resumed = await resumeCluster(shop.port, ID, quietly, now);
    expect(resumed).toMatchObject({
      state: 'stopped',
      steps: [{ state: 'begun', why: expect.stringContaining('changed by somebody else') }, {}, {}],
    });
    shop.change(WEB, { spec: template });
    expect(await undoCluster(shop.port, ID, quietly, now)).toMatchObject({ state: 'undone', steps: [{ state: 'undone' }, {}, {}] });
    expect(specsOf(shop)).toEqual(before);
  });
});
