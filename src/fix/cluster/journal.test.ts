import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { applyCluster } from './apply-cluster.ts';
import { valueAt } from './json-pointer.ts';
import { listFixes } from './list-fixes.ts';
import { resumeCluster } from './resume-cluster.ts';
import {
  finalizerStep,
  ID,
  JOURNAL,
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
} from './testing-fixes.ts';
import { undoCluster } from './undo-cluster.ts';

const { options } = testClock();

async function fixedShop(): Promise<Shop> {
  const shop = await startShop();
  await applyCluster(shop.port, threePatches(shop), RECORD, quietly, options);
  return shop;
}

describe('the journal', () => {
  it('says of each step that it is begun before it is done', async () => {
    const states: unknown[] = [];
    const shop = await startShop({
      cuts: ({ method, path }) => {
        const steps = JSON.parse(String(valueAt(shop.get(JOURNAL), ['data', 'steps']) ?? '[]')) as { readonly state: string }[];
        if (method === 'PATCH' || path.endsWith('/eviction')) states.push(steps.map(({ state }) => state));
        return undefined;
      },
    });
    await applyCluster(shop.port, planOf(restartStep('eviction'), finalizerStep(), rolloutStep()), RECORD, quietly, options);
    expect(states).toEqual([
      ['begun', 'planned', 'planned'],
      ['done', 'begun', 'planned'],
      ['done', 'done', 'begun'],
    ]);
  });

  it('has who, what, when and from which report, and lists it', async () => {
    const shop = await fixedShop();
    expect(await listFixes(shop.port)).toEqual([
      {
        ...RECORD,
        state: 'done',
        at: '2026-03-01T12:00:00.000Z',
        hosts: [],
        steps: [
          { says: 'Set memory of web', object: 'Deployment shop/web', state: 'done' },
          { says: 'Set pods of small', object: 'ResourceQuota shop/small', state: 'done' },
          { says: 'Set unschedulable of n1', object: 'Node n1', state: 'done' },
        ],
      },
    ]);
  });

  it('is none before the first fix', async () => {
    const shop = await startShop();
    expect(await listFixes(shop.port)).toEqual([]);
    expect(shop.writes()).toEqual([]);
  });

  it('holds words on one line, without escape codes and secrets', async () => {
    const shop = await startShop();
    const record = { ...RECORD, title: 'raise\u001b[2J\nthe limit, password=hunter2hunter2', who: 'marla\u202e@desk' };
    await applyCluster(shop.port, threePatches(shop), record, quietly, options);
    const text = JSON.stringify(shop.get(JOURNAL));
    expect(text).not.toMatch(/hunter2|\\u001b|\u202e/);
    expect(await listFixes(shop.port)).toMatchObject([{ title: expect.stringMatching(/^raise \[2J the limit/), who: 'marla @desk' }]);
  });

  it('stops a run whose journal somebody else writes', async () => {
    const shop = await startShop();
    const outcome = await applyCluster(
      shop.port,
      threePatches(shop),
      RECORD,
      ({ index, state }) => {
        if (index === 0 && state === 'done') shop.change(JOURNAL, {});
      },
      options,
    );
    expect(outcome).toMatchObject({ state: 'stopped', why: expect.stringContaining('written by somebody else') });
    expect(valueAt(shop.get(QUOTA), ['spec', 'hard', 'pods'])).toBe('2');
  });

  it('is not made where it would be too large', async () => {
    const shop = await startShop();
    const big = Array.from({ length: 30 }, () => ({ ...finalizerStep(), diff: Array.from({ length: 60 }, () => 'x'.repeat(990)) }));
    const outcome = await applyCluster(shop.port, planOf(...big), RECORD, quietly, options);
    expect(outcome).toMatchObject({ state: 'refused', why: expect.stringContaining('too large') });
    expect(shop.get(JOURNAL)).toBeUndefined();
  });
});

interface Raw {
  steps: Record<string, unknown>[];
  record: Record<string, unknown>;
  hosts: unknown[];
}

const FORGED: readonly [string, (raw: Raw) => void][] = [
  [
    'names a kind podcause does not change',
    ({ steps }) => (steps[0] = { ...steps[0], object: { kind: 'Secret', name: 'x', namespace: 'shop' } }),
  ],
  [
    'has a name that leads elsewhere',
    ({ steps }) => (steps[0] = { ...steps[0], object: { kind: 'Pod', name: '../x', namespace: 'shop' } }),
  ],
  [
    'changes another journal',
    ({ steps }) => (steps[0] = { ...steps[0], object: { kind: 'ConfigMap', name: 'podcause-fix-x', namespace: 'podcause' } }),
  ],
  ['patches labels', ({ steps }) => (steps[0] = { ...steps[0], reverse: [{ op: 'add', path: '/metadata/labels/x', value: 'y' }] })],
  ['has an unknown operation', ({ steps }) => (steps[0] = { ...steps[0], patch: [{ op: 'move', path: '/spec/x', from: '/spec/y' }] })],
  ['has an unknown step', ({ steps }) => (steps[0] = { ...steps[0], kind: 'shell' })],
  ['has an unknown state', ({ steps }) => (steps[0] = { ...steps[0], state: 'whatever' })],
  ['is of a later version', ({ record }) => (record['version'] = 2)],
  ['has the id of another', ({ record }) => (record['id'] = 'another')],
  ['has no record', ({ record }) => (record['who'] = 7)],
  ['has a node that is none', ({ hosts }) => hosts.push({ node: 'a;b', state: 'done' })],
];

describe('a journal that somebody wrote', () => {
  let shop: Shop;
  let restore: () => void;
  beforeAll(async () => {
    shop = await fixedShop();
    restore = shop.save();
  });
  afterEach(() => restore());

  it.each(FORGED)('is not followed where it %s', async (_how, forge) => {
    const data = shop.get(JOURNAL)?.['data'] as Record<string, string>;
    const raw = Object.fromEntries(Object.entries(data).map(([key, text]) => [key, JSON.parse(text)])) as unknown as Raw;
    forge(raw);
    shop.change(JOURNAL, { data: Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, JSON.stringify(value)])) });
    const before = specsOf(shop);
    const writes = shop.writes().length;
    expect(await undoCluster(shop.port, ID, quietly, options)).toMatchObject({
      state: 'refused',
      why: expect.stringContaining('not as podcause writes it'),
    });
    expect(await resumeCluster(shop.port, ID, quietly, options)).toMatchObject({ state: 'refused' });
    expect(shop.writes()).toHaveLength(writes);
    expect(specsOf(shop)).toEqual(before);
    expect(await listFixes(shop.port)).toMatchObject([{ id: ID, state: 'stopped', title: 'its journal is not as podcause writes it' }]);
  });

  it('is not followed where it is no JSON at all', async () => {
    shop.change(JOURNAL, { data: { record: '{', steps: '[]' } });
    expect(await undoCluster(shop.port, ID, quietly, options)).toMatchObject({ state: 'refused' });
    shop.change(JOURNAL, { data: undefined });
    expect(await undoCluster(shop.port, ID, quietly, options)).toMatchObject({ state: 'refused' });
  });
});
