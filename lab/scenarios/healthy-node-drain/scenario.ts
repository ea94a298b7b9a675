import { allPodsReady, everyPod, isPodReady } from '../../src/conditions.ts';
import { defineScenario } from '../../src/scenario.ts';

export const scenario = defineScenario({
  id: 'healthy-node-drain',
  title: 'A node was drained for maintenance; its pods run elsewhere',
  on: 'worker-a',
  manifest: true,
  ready: allPodsReady(),
  breakIt: async (lab, namespace) => {
    const selector = ['--pod-selector=app=shop', '--timeout=60s'];
    const ran = await lab.kubectl(['drain', 'worker-a', '--ignore-daemonsets', '--force', ...selector], { timeoutSeconds: 90 });
    if (ran.code !== 0) throw new Error(`drain of ${namespace}: ${ran.stderr.trim()}`);
  },
  restore: async (lab) => {
    await lab.kubectl(['uncordon', 'worker-a']);
  },
  until: {
    what: 'all pods are ready on the other node',
    withinSeconds: 120,
    holds: (lab, namespace) => everyPod(lab, namespace, (pod) => isPodReady(pod) && pod.spec.nodeName === 'worker-b'),
  },
  expect: 'healthy',
  never: ['sched-node-cordoned'],
});
