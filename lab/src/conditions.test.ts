import { describe, expect, it } from 'vitest';
import { countWithEvent, everyPod, hasEvent, isPodReady, nodeCondition, type PodJson, restartsOf, waitsWith } from './conditions.ts';
import type { Lab } from './lab.ts';

function labThatSays(answers: Readonly<Record<string, unknown>>): Lab {
  return {
    kubeconfig: '',
    kubectl: async (args) => {
      const answer = answers[args.slice(0, 2).join(' ')];
      return answer === undefined ? { code: 1, stdout: '', stderr: 'refused' } : { code: 0, stdout: JSON.stringify(answer), stderr: '' };
    },
    node: () => {
      throw new Error('no nodes here');
    },
    podcause: async () => ({ code: 0, stdout: '', stderr: '' }),
  };
}

const crashing: PodJson = {
  metadata: { name: 'shop' },
  spec: {},
  status: {
    conditions: [{ type: 'Ready', status: 'False' }],
    initContainerStatuses: [{ name: 'one', restartCount: 1 }],
    containerStatuses: [{ name: 'app', restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } } }],
  },
};

describe('conditions of pods', () => {
  it('read readiness, waiting and restarts of all containers', () => {
    expect(isPodReady(crashing)).toBe(false);
    expect(waitsWith(crashing, 'CrashLoopBackOff')).toBe(true);
    expect(waitsWith(crashing, 'ImagePullBackOff')).toBe(false);
    expect(restartsOf(crashing)).toBe(4);
  });

  it('do not hold for no pods, nor without an answer', async () => {
    expect(await everyPod(labThatSays({ 'get pods': { items: [] } }), 'n', () => true)).toBe(false);
    expect(await everyPod(labThatSays({}), 'n', () => true)).toBe(false);
    expect(await everyPod(labThatSays({ 'get pods': { items: [crashing] } }), 'n', (pod) => !isPodReady(pod))).toBe(true);
  });
});

describe('events and nodes', () => {
  const event = (name: string, message: string) => ({ reason: 'Failed', message, involvedObject: { name } });
  const lab = labThatSays({
    'get events': { items: [event('a', 'no plugin'), event('a', 'no plugin'), event('b', 'no plugin'), event('c', 'other')] },
    'get node': { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'down' }] } },
  });

  it('are found by reason and words, and counted by object', async () => {
    expect(await hasEvent(lab, 'n', 'Failed', /^other$/)).toBe(true);
    expect(await hasEvent(lab, 'n', 'Failed', 'absent')).toBe(false);
    expect(await countWithEvent(lab, 'n', 'Failed', 'no plugin')).toBe(2);
  });

  it('tell a condition, or that there is none', async () => {
    expect(await nodeCondition(lab, 'worker-a', 'Ready')).toEqual({ status: 'False', reason: 'KubeletNotReady', message: 'down' });
    expect(await nodeCondition(lab, 'worker-a', 'DiskPressure')).toBeUndefined();
    expect(await nodeCondition(labThatSays({}), 'worker-a', 'Ready')).toBeUndefined();
  });
});
