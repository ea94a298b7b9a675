import { describe, expect, it } from 'vitest';
import { labelsOf, selects } from './selectors.ts';
import * as make from './testing-objects.ts';
import { planned, raise } from './testing-plan.ts';
import type { Stored } from './testing-plan-api.ts';

const POD = make.pod('web-0', { metadata: make.ownedBy('StatefulSet', 'web') });

describe('who is affected', () => {
  it.each<readonly [string, readonly Stored[], string]>([
    [
      'is said with the strategy Recreate',
      [make.deployment({ spec: { strategy: { type: 'Recreate' } } })],
      'will restart, all at once (strategy Recreate)',
    ],
    ['is nobody while it is paused', [make.deployment({ spec: { paused: true } })], 'will stay as they are until it is resumed'],
    [
      'is nobody with OnDelete',
      [make.statefulSet({ spec: { updateStrategy: { type: 'OnDelete' } } })],
      'will stay as they are until they are deleted',
    ],
    [
      'is a part with a partition',
      [make.statefulSet({ spec: { updateStrategy: { rollingUpdate: { partition: 2 } } } })],
      'will restart from number 2 on',
    ],
  ])('%s', async (_what, objects, words) => {
    const victim = `Workload/${String(objects[0]?.['kind'])}/shop/web`;
    const plan = await planned([raise], { objects: [...objects, POD], victim });
    expect(plan.affected[0]).toContain(words);
  });

  it('is said also where pods may not be read', async () => {
    const plan = await planned([raise], { forbids: ({ path }) => path.endsWith('/pods') });
    expect(plan.steps).toHaveLength(1);
    expect(plan.affected).toEqual(['Deployment shop/web: its pods restart, a few at a time; which ones they are may not be read.']);
    expect(plan.notes[0]).toContain('pods of namespace shop could not be read');
  });

  it('is not everybody where a selector is missing', async () => {
    const plan = await planned([raise], { objects: [make.deployment({ spec: { selector: {} } }), make.replicaSet(), make.pod()] });
    expect(plan.affected).toEqual(['Deployment shop/web: has no pods now; the next ones are made from the new template.']);
  });

  it('is a list that ends', async () => {
    const many = Array.from({ length: 14 }, (_, index) => make.pod(`web-${index}`, { metadata: make.ownedBy('StatefulSet', 'web') }));
    const plan = await planned([raise], { objects: [make.statefulSet(), ...many], victim: 'Pod/shop/web-0' });
    expect(plan.affected[0]).toMatch(/14 pods, which will .* web-9 and 4 more\.$/);
  });
});

describe('a selector', () => {
  const labels = labelsOf({ metadata: { labels: { app: 'web', tier: 'front' } } });

  it.each([
    [{ matchLabels: { app: 'web' } }, true],
    [{ matchLabels: { app: 'web', tier: 'back' } }, false],
    [{}, true],
    [undefined, false],
    ['app=web', false],
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'x'] }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
    [{ matchExpressions: [{ key: 'none', operator: 'NotIn', values: ['web'] }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false],
    [{ matchExpressions: [{ key: 'app', operator: 'Like' }] }, false],
    [{ matchExpressions: [{ key: 'toString', operator: 'Exists' }] }, false],
  ])('%j', (selector, expected) => {
    expect(selects(selector, labels)).toBe(expected);
  });
});
