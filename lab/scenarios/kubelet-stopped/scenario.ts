import { allPodsReady, nodeIsSilent } from '../../src/conditions.ts';
import { must } from '../../src/faults.ts';
import { defineScenario } from '../../src/scenario.ts';

export const scenario = defineScenario({
  id: 'kubelet-stopped',
  title: 'The kubelet was stopped; its containers go on running',
  on: 'worker-a',
  manifest: true,
  ready: allPodsReady(),
  breakIt: async (lab) => {
    await must(lab.node('worker-a'), 'systemctl stop kubelet');
  },
  restore: async (lab) => {
    await must(lab.node('worker-a'), 'systemctl start kubelet');
  },
  until: nodeIsSilent('worker-a'),
  expect: { cause: 'kubelet-unit-stopped', place: 'node worker-a', confidence: 'certain', victims: 3 },
  never: ['runtime-socket-gone-or-refused', 'kubelet-bootstrap-or-cert-expired'],
  host: ['worker-a'],
  evidence: {
    node: [
      { node: 'worker-a', command: 'systemctl status kubelet --no-pager' },
      { node: 'worker-a', command: 'journalctl -u kubelet -n 40 --no-pager' },
    ],
  },
});
