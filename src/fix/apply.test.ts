import { describe, expect, it } from 'vitest';
import { type ApplyInput, applyFix, wavesOf } from './apply.ts';
import { listFixes } from './cluster/index.ts';
import { ID, MEMORY, patchStep, planOf, startShop, WEB } from './cluster/testing-fixes.ts';
import type { HostPlan } from './host/index.ts';
import type { Ending, HostOutcome, Mode } from './launch.ts';
import type { FixPlan } from './plan.ts';

function hostPlan(node: string): HostPlan {
  return {
    node,
    steps: [{ kind: 'sysctl', key: 'fs.inotify.max_user_watches', value: '65536', before: '8192' }],
    refused: [],
    warnings: [],
    health: { containerdSocket: '/run/containerd/containerd.sock', kubeletConfig: '/var/lib/kubelet/config.yaml' },
  };
}

function planFor(nodes: readonly string[]): FixPlan {
  return {
    id: 'fix-1',
    reportId: 'r1',
    chosen: { fix: { title: 'more watches' } },
    hosts: nodes.map(hostPlan),
    unread: [],
  } as unknown as FixPlan;
}

interface Course {
  readonly endings?: Readonly<Record<string, Ending>>;
  readonly settles?: 'fixed' | 'not-fixed' | 'unknown';
  readonly waveSize?: number;
}

async function run(nodes: readonly string[], { endings = {}, settles = 'fixed', waveSize = 1 }: Course = {}) {
  const course: string[] = [];
  const plan = planFor(nodes);
  const change = async (node: string, mode: Mode): Promise<HostOutcome> => {
    course.push(`${mode} ${node}`);
    const ending = endings[node] ?? 'done';
    return { ending, says: ending === 'done' ? '' : 'containerd did not come back', log: '@podcause step 1/1 done set it\n' };
  };
  const input: ApplyInput = {
    plan,
    runnerOf: (node) => ({ node, way: '', read: async () => '', change: (_script, _id, mode) => change(node, mode) }),
    who: 'me@here',
    drain: false,
    waveSize,
    despiteOwner: false,
    lock: { holder: 'me@here:1' },
    onStep: () => {},
    settle: async (seen) => {
      course.push(`settle ${seen.join(' ')}`);
      return { judgement: settles, says: 'a-1 is still unwell', looks: [], quietSeconds: 0 };
    },
  };
  return { applied: await applyFix(input), course };
}

describe('one node first', () => {
  it('then the others, wave by wave, each after the ones before have proved themselves', async () => {
    const { applied, course } = await run(['a', 'b', 'c', 'd'], { waveSize: 2 });
    expect(course).toEqual(['apply a', 'settle a', 'apply b', 'apply c', 'settle a b c', 'apply d']);
    expect(applied.ending).toBe('done');
    expect(applied.steps).toHaveLength(4);
  });

  it.each(['not-fixed', 'unknown'] as const)('leaves the others alone when the first is %s', async (settles) => {
    const { applied, course } = await run(['a', 'b'], { settles });
    expect(course).toEqual(['apply a', 'settle a']);
    expect(applied).toMatchObject({ ending: 'stopped', stopped: expect.stringContaining('the other nodes were left alone') });
  });

  it('stops at the first failure, and says how that node was left', async () => {
    const { applied, course } = await run(['a', 'b', 'c'], { endings: { b: 'rolled-back' } });
    expect(course).toEqual(['apply a', 'settle a', 'apply b']);
    expect(applied).toMatchObject({ ending: 'rolled-back', stopped: expect.stringContaining('b: containerd did not come back') });
  });

  it('never takes silence for success', async () => {
    const { applied } = await run(['a'], { endings: { a: 'unknown' } });
    expect(applied.ending).toBe('stopped');
  });
});

describe('what follows in the cluster', () => {
  async function throughCluster(ending: Ending) {
    const shop = await startShop();
    let during: unknown;
    const applied = await applyFix({
      plan: { ...planFor(['n1']), id: ID, cluster: planOf(patchStep(shop, WEB, MEMORY, '128Mi')) },
      port: shop.port,
      runnerOf: (node) => ({
        node,
        way: '',
        read: async () => '',
        change: async () => {
          during = await listFixes(shop.port);
          return { ending, says: '', log: '' };
        },
      }),
      who: 'me@here',
      drain: false,
      waveSize: 1,
      despiteOwner: false,
      lock: { holder: 'me@here:1' },
      onStep: () => {},
      settle: async () => ({ judgement: 'fixed', says: '', looks: [], quietSeconds: 0 }),
    });
    return { applied, during, after: await listFixes(shop.port) };
  }

  it('is written down before the last hosts are changed, so that a run cut off in between can go on', async () => {
    const { applied, during, after } = await throughCluster('done');
    expect(during).toMatchObject([{ id: ID, state: 'begun', steps: [{ state: 'planned' }] }]);
    expect(applied.ending).toBe('done');
    expect(after).toMatchObject([{ id: ID, state: 'done', steps: [{ state: 'done' }] }]);
  });

  it('is withdrawn when the host was put back, and kept when nobody knows', async () => {
    expect((await throughCluster('rolled-back')).after).toMatchObject([{ id: ID, steps: [] }]);
    expect((await throughCluster('unknown')).after).toMatchObject([{ id: ID, steps: [{ state: 'planned' }] }]);
  });
});

describe('wavesOf', () => {
  it.each([
    [[], 3, []],
    [['a'], 3, [['a']]],
    [['a', 'b', 'c'], 9, [['a'], ['b', 'c']]],
  ] as const)('%j by %i', (nodes, size, waves) => {
    expect(wavesOf<string>(nodes, size)).toEqual(waves);
  });
});
