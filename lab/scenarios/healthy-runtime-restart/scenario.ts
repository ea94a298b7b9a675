import { allPodsReady, everyPod, isPodReady } from '../../src/conditions.ts';
import { must } from '../../src/faults.ts';
import { isNodeSound } from '../../src/heal.ts';
import { defineScenario } from '../../src/scenario.ts';

export const scenario = defineScenario({
  id: 'healthy-runtime-restart',
  title: 'containerd was restarted on purpose; nothing is wrong',
  on: 'worker-a',
  manifest: true,
  ready: allPodsReady(),
  breakIt: async (lab) => {
    await must(lab.node('worker-a'), 'systemctl stop containerd; sleep 15; systemctl start containerd; sleep 5');
  },
  until: {
    what: 'node and pods are ready again',
    withinSeconds: 120,
    holds: async (lab, namespace) => (await isNodeSound(lab, 'worker-a')) && (await everyPod(lab, namespace, isPodReady)),
  },
  expect: 'healthy',
  evidence: {
    node: [
      { node: 'worker-a', command: 'journalctl -u containerd -n 40 --no-pager' },
      { node: 'worker-a', command: 'journalctl -u kubelet -n 60 --no-pager' },
    ],
  },
});
