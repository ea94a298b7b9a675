import { describe, expect, it } from 'vitest';
import { startApi } from './cluster/testing-plan-api.ts';
import { holdNode, isNodeReady, releaseNode, untilNodeReady } from './node-hold.ts';

const NODE = '/api/v1/nodes/worker-a';
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/worker-a';

function node(change: { readonly spec?: object; readonly ready?: string } = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'worker-a', annotations: { keep: 'me' } },
    spec: change.spec ?? {},
    status: { conditions: [{ type: 'Ready', status: change.ready ?? 'True' }] },
  };
}

function lease(renewTime: string) {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace: 'kube-node-lease', name: 'worker-a' },
    spec: { renewTime },
  };
}

describe('a node that is changed', () => {
  it('takes no pods meanwhile, and is as before afterwards', async () => {
    const api = await startApi([node()]);
    await holdNode(api.port, 'worker-a', 'fix-1');
    expect(api.at(NODE)).toMatchObject({ spec: { unschedulable: true }, metadata: { annotations: { keep: 'me' } } });
    await releaseNode(api.port, 'worker-a', 'fix-1');
    expect(api.at(NODE)['spec']).toEqual({});
    expect(api.at(NODE)).toHaveProperty('metadata.annotations', { keep: 'me' });
  });

  it('stays cordoned when somebody else had done that', async () => {
    const api = await startApi([node({ spec: { unschedulable: true } })]);
    await holdNode(api.port, 'worker-a', 'fix-1');
    await releaseNode(api.port, 'worker-a', 'fix-1');
    expect(api.at(NODE)['spec']).toEqual({ unschedulable: true });
    expect(api.writes()).toEqual([]);
  });

  it('is let go only by the fix that holds it', async () => {
    const api = await startApi([node()]);
    await holdNode(api.port, 'worker-a', 'fix-1');
    await releaseNode(api.port, 'worker-a', 'fix-2');
    expect(api.at(NODE)['spec']).toEqual({ unschedulable: true });
  });
});

describe('untilNodeReady', () => {
  it('does not take the old word of a kubelet that is silent', async () => {
    const api = await startApi([node(), lease('2026-03-01T10:00:00Z')]);
    let clock = 0;
    const pause = async (milliseconds: number) => {
      clock += milliseconds;
    };
    expect(await isNodeReady(api.port, 'worker-a')).toBe(true);
    expect(await untilNodeReady(api.port, 'worker-a', { seconds: 10, now: () => clock, pause })).toBe(false);
  });

  it('takes a renewed lease together with the condition', async () => {
    const api = await startApi([node(), lease('2026-03-01T10:00:00Z')]);
    let clock = 0;
    const pause = async (milliseconds: number) => {
      clock += milliseconds;
      if (clock >= 6000) api.objects.set(LEASE, lease('2026-03-01T10:00:10Z'));
    };
    expect(await untilNodeReady(api.port, 'worker-a', { seconds: 30, now: () => clock, pause })).toBe(true);
    expect(clock).toBe(6000);
  });

  it('waits for a node that is heard of but not ready', async () => {
    const api = await startApi([node({ ready: 'False' })]);
    let clock = 0;
    const pause = async (milliseconds: number) => {
      clock += milliseconds;
    };
    expect(await untilNodeReady(api.port, 'worker-a', { seconds: 10, now: () => clock, pause })).toBe(false);
  });
});
