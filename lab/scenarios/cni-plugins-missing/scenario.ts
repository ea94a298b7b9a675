import { allPodsReady, countWithEvent } from '../../src/conditions.ts';
import { must, scale } from '../../src/faults.ts';
import { defineScenario } from '../../src/scenario.ts';

export const scenario = defineScenario({
  id: 'cni-plugins-missing',
  title: 'The network plugins of a node are gone, their configuration is not',
  on: 'worker-a',
  manifest: true,
  ready: allPodsReady(),
  breakIt: async (lab, namespace) => {
    await must(lab.node('worker-a'), 'mv /opt/cni/bin /opt/cni/bin.away');
    await scale(lab, namespace, 'shop', 3);
  },
  restore: async (lab) => {
    await must(lab.node('worker-a'), 'rm -rf /opt/cni/bin && mv /opt/cni/bin.away /opt/cni/bin');
  },
  until: {
    what: 'pods get no sandbox because a plugin is not found',
    withinSeconds: 120,
    holds: async (lab, namespace) => (await countWithEvent(lab, namespace, 'FailedCreatePodSandBox', 'failed to find plugin')) === 2,
  },
  expect: { cause: 'cni-binary-missing', place: 'node worker-a', confidence: 'certain', victims: 2 },
  never: ['cni-not-initialised', 'sandbox-image-unavailable'],
  evidence: {
    node: [
      { node: 'worker-a', command: 'journalctl -u kubelet -n 40 --no-pager' },
      { node: 'worker-a', command: 'ls -la /opt/cni/bin' },
    ],
  },
});
