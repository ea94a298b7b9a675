import { describe, expect, it } from 'vitest';
import { valueAt } from './json-pointer.ts';
import { applyJsonPatch } from './testing-json-patch.ts';
import * as make from './testing-objects.ts';
import { APP, patchIn, planned, raise } from './testing-plan.ts';
import { pathOf, type Stored } from './testing-plan-api.ts';

describe('the dry run', () => {
  it('that is forbidden leaves the plan as it is', async () => {
    const plan = await planned([raise], { forbids: ({ method }) => method === 'PATCH' });
    expect(patchIn(plan).dryRun).toMatchObject({ outcome: 'forbidden', why: expect.stringContaining('is forbidden') as string });
    expect(plan.refused).toEqual([]);
  });

  it('that the server refuses says so in its words', async () => {
    const admits = (): Stored => {
      throw new Error('admission webhook "limits.test" denied the request: too much memory');
    };
    expect(patchIn(await planned([raise], { admits })).dryRun).toMatchObject({
      outcome: 'refused',
      why: expect.stringContaining('too much memory') as string,
    });
  });

  it('shows where admission makes something else of it, and the way back begins there', async () => {
    const limits = [...APP, 'resources', 'limits', 'memory'];
    const admits = (object: Stored): Stored => {
      (valueAt(object, limits.slice(0, -1)) as Stored)['memory'] = '200Mi';
      return object;
    };
    const step = patchIn(await planned([raise], { admits }));
    expect(step.notes[0]).toContain('The server would make 200Mi of it');
    expect(step.reverse).toContainEqual({ op: 'test', path: `/${limits.join('/')}`, value: '200Mi' });
  });

  it('puts a default where something was taken away, and the way back begins there', async () => {
    const admits = (object: Stored): Stored => {
      const template = valueAt(object, ['spec', 'template', 'spec']) as Stored;
      template['dnsPolicy'] ??= 'ClusterFirst';
      return object;
    };
    const objects = make.shop();
    (valueAt(objects[0], ['spec', 'template', 'spec']) as Stored)['dnsPolicy'] = 'None';
    const { api, ...plan } = await planned([{ do: 'workload-unset', field: 'dnsPolicy' }], { admits, objects });
    const step = patchIn(plan);
    const after = admits(applyJsonPatch(api.at(pathOf(make.deployment())), step.patch) as Stored);
    expect(valueAt(applyJsonPatch(after, step.reverse), ['spec', 'template', 'spec', 'dnsPolicy'])).toBe('None');
  });

  it('fails where somebody changed the value since it was read', async () => {
    const { api, ...plan } = await planned([raise]);
    const object = structuredClone(api.at(pathOf(make.deployment())));
    (valueAt(object, [...APP, 'resources', 'limits']) as Stored)['memory'] = '512Mi';
    expect(() => applyJsonPatch(object, patchIn(plan).patch)).toThrow(/testing value .* failed/);
  });
});
