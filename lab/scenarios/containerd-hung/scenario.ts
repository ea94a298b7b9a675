import { allPodsReady, nodeCondition } from '../../src/conditions.ts';
import { must, scale } from '../../src/faults.ts';
import { defineScenario } from '../../src/scenario.ts';

export const scenario = defineScenario({
  id: 'containerd-hung',
  title: 'containerd hangs: it is there and answers nothing',
  on: 'worker-a',
  manifest: true,
  ready: allPodsReady(),
  breakIt: async (lab, namespace) => {
    await must(lab.node('worker-a'), 'systemctl kill --kill-whom=main --signal=STOP containerd');
    await scale(lab, namespace, 'shop', 3);
  },
  restore: async (lab) => {
    await must(lab.node('worker-a'), 'systemctl kill --kill-whom=main --signal=CONT containerd');
  },
  until: {
    what: 'the node says that it is not ready',
    withinSeconds: 300,
    holds: async (lab) => (await nodeCondition(lab, 'worker-a', 'Ready'))?.status === 'False',
  },
  expect: { cause: 'runtime-slow-deadline-exceeded', place: 'node worker-a', confidence: 'probable', victims: 2 },
  never: ['node-unreachable', 'kubelet-unit-stopped', 'runtime-socket-gone-or-refused'],
  host: ['worker-a'],
  evidence: {
    node: [
      { node: 'worker-a', command: 'journalctl -u kubelet -n 80 --no-pager' },
      { node: 'worker-a', command: 'systemctl status containerd --no-pager' },
    ],
  },
});
