import { allPodsReady, anyPod, nodeCondition } from '../../src/conditions.ts';
import { must, scale } from '../../src/faults.ts';
import { defineScenario } from '../../src/scenario.ts';

export const scenario = defineScenario({
  id: 'cni-config-missing',
  title: 'The network configuration of a node was removed',
  on: 'worker-a',
  manifest: true,
  ready: allPodsReady(),
  breakIt: async (lab, namespace) => {
    await must(lab.node('worker-a'), 'mv /etc/cni/net.d/10-lab.conflist /var/tmp/');
    await scale(lab, namespace, 'shop', 2);
  },
  restore: async (lab) => {
    // containerd does not notice a file that is moved in, only one that is written.
    await must(lab.node('worker-a'), 'cp /var/tmp/10-lab.conflist /etc/cni/net.d/ && rm /var/tmp/10-lab.conflist');
  },
  until: {
    what: 'the node says that its network is not ready, and a new pod waits',
    withinSeconds: 180,
    holds: async (lab, namespace) => {
      const ready = await nodeCondition(lab, 'worker-a', 'Ready');
      const stuck = await anyPod(lab, namespace, (pod) => pod.status.phase === 'Pending');
      return ready?.status === 'False' && /NetworkPluginNotReady/.test(ready.message) && stuck;
    },
  },
  expect: { cause: 'cni-not-initialised', place: 'node worker-a', confidence: 'certain', victims: { atLeast: 2 } },
  never: ['cni-binary-missing', 'runtime-socket-gone-or-refused', 'node-unreachable', 'sched-untolerated-taint'],
  evidence: {
    node: [
      { node: 'worker-a', command: 'journalctl -u kubelet -n 60 --no-pager' },
      { node: 'worker-a', command: 'ls -la /etc/cni/net.d' },
    ],
  },
});
