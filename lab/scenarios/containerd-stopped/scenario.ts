import { allPodsReady, nodeCondition } from '../../src/conditions.ts';
import { must, scale } from '../../src/faults.ts';
import { defineScenario } from '../../src/scenario.ts';

export const scenario = defineScenario({
  id: 'containerd-stopped',
  title: 'containerd was stopped under a running kubelet',
  on: 'worker-a',
  manifest: true,
  ready: allPodsReady(),
  breakIt: async (lab, namespace) => {
    await must(lab.node('worker-a'), 'systemctl stop containerd');
    // The pods that run keep running and stay ready; a new one is stuck.
    await scale(lab, namespace, 'shop', 3);
  },
  restore: async (lab) => {
    await must(lab.node('worker-a'), 'systemctl start containerd');
  },
  until: {
    what: 'the node says that it is not ready',
    withinSeconds: 180,
    holds: async (lab) => (await nodeCondition(lab, 'worker-a', 'Ready'))?.status === 'False',
  },
  expect: { cause: 'runtime-socket-gone-or-refused', place: 'node worker-a', confidence: 'certain', victims: 2 },
  never: ['node-unreachable', 'kubelet-unit-stopped', 'app-exits-nonzero-at-start'],
  evidence: {
    node: [
      { node: 'worker-a', command: 'journalctl -u kubelet -n 80 --no-pager' },
      { node: 'worker-a', command: 'systemctl status containerd --no-pager' },
    ],
  },
});
