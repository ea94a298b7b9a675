import { allPodsReady, nodeCondition } from '../../src/conditions.ts';
import { must, scale } from '../../src/faults.ts';
import { defineScenario } from '../../src/scenario.ts';

export const scenario = defineScenario({
  id: 'cni-config-missing',
  title: 'The network configuration of a node was removed',
  on: 'worker-a',
  manifest: true,
  ready: allPodsReady(),
  breakIt: async (lab, namespace) => {
    await must(lab.node('worker-a'), 'mv /etc/cni/net.d/10-lab.conflist /root/ && systemctl restart containerd');
    await scale(lab, namespace, 'shop', 2);
  },
  restore: async (lab) => {
    await must(lab.node('worker-a'), 'mv /root/10-lab.conflist /etc/cni/net.d/ && systemctl restart containerd');
  },
  until: {
    what: 'the node says that its network is not ready',
    withinSeconds: 180,
    holds: async (lab) => {
      const ready = await nodeCondition(lab, 'worker-a', 'Ready');
      return ready?.status === 'False' && /NetworkPluginNotReady/.test(ready.message);
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
