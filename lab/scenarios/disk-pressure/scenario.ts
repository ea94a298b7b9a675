import { allPodsReady, anyPod, nodeCondition } from '../../src/conditions.ts';
import { must } from '../../src/faults.ts';
import { defineScenario } from '../../src/scenario.ts';

export const scenario = defineScenario({
  id: 'disk-pressure',
  title: 'A log file fills the disk of a node, and the kubelet evicts',
  on: 'worker-a',
  manifest: true,
  ready: allPodsReady(),
  breakIt: async (lab) => {
    await must(lab.node('worker-a'), 'fallocate -l $(($(df --output=avail -B1 / | tail -1) - 200000000)) /var/log/audit.log');
  },
  restore: async (lab) => {
    await must(lab.node('worker-a'), 'rm -f /var/log/audit.log');
  },
  until: {
    what: 'the node reports disk pressure and a pod is evicted',
    withinSeconds: 240,
    holds: async (lab, namespace) =>
      (await nodeCondition(lab, 'worker-a', 'DiskPressure'))?.status === 'True' &&
      (await anyPod(lab, namespace, (pod) => pod.status.reason === 'Evicted')),
  },
  expect: { cause: 'evicted-disk-pressure', place: 'node worker-a', confidence: 'certain', victims: { atLeast: 1 } },
  never: ['evicted-memory-pressure', 'evicted-pid-pressure', 'image-unpack-no-space'],
  evidence: {
    node: [
      { node: 'worker-a', command: 'df -h /' },
      { node: 'worker-a', command: 'journalctl -u kubelet -n 60 --no-pager' },
    ],
  },
});
