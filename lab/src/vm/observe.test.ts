import { describe, expect, it } from 'vitest';
import type { Lab } from '../lab.ts';
import { allReady, eventsIn, podsIn } from './observe.ts';

function labThatPrints(stdout: string, code = 0): Lab {
  const ran = { code, stdout, stderr: '' };
  return {
    kubeconfig: '/none',
    kubectl: async () => ran,
    podcause: async () => ran,
    node: () => {
      throw new Error('no node is asked for');
    },
  };
}

const pod = (ready: boolean) => ({
  metadata: { name: 'agent-x', deletionTimestamp: '2026-01-01T00:00:00Z' },
  status: {
    phase: 'Running',
    containerStatuses: [
      { name: 'agent', restartCount: 3, ready, state: ready ? { running: {} } : { waiting: { reason: 'CrashLoopBackOff' } } },
    ],
  },
});

describe('what kubectl prints', () => {
  it('becomes pods', async () => {
    const [seen] = await podsIn(labThatPrints(JSON.stringify({ items: [pod(false)] })), 'lab-x');
    expect(seen).toEqual({
      name: 'agent-x',
      phase: 'Running',
      deleting: true,
      containers: [{ name: 'agent', restartCount: 3, ready: false, running: false, waiting: 'CrashLoopBackOff' }],
      inits: [],
    });
  });

  it('becomes events', async () => {
    const item = { reason: 'SandboxChanged', message: 'Pod sandbox changed', count: 4, involvedObject: { name: 'agent-x' } };
    expect(await eventsIn(labThatPrints(JSON.stringify({ items: [item, {}] })), 'lab-x')).toEqual([
      { reason: 'SandboxChanged', message: 'Pod sandbox changed', object: 'agent-x', count: 4 },
      { reason: '', message: '', object: '', count: 1 },
    ]);
  });

  it('is nothing while the API server does not answer', async () => {
    expect(await podsIn(labThatPrints('', 1), 'lab-x')).toEqual([]);
  });

  it('tells whether enough pods are ready', async () => {
    const two = JSON.stringify({ items: [pod(true), pod(true)] });
    expect(await allReady(labThatPrints(two), 'lab-x', 2)).toBe(true);
    expect(await allReady(labThatPrints(two), 'lab-x', 3)).toBe(false);
    expect(await allReady(labThatPrints(JSON.stringify({ items: [pod(true), pod(false)] })), 'lab-x', 2)).toBe(false);
  });
});
