import { anyPod, hasEvent, restartsOf } from '../../src/conditions.ts';
import { must, scale } from '../../src/faults.ts';
import { defineScenario } from '../../src/scenario.ts';

export const scenario = defineScenario({
  id: 'oom-node',
  title: 'Pods without limits use up the memory of a node, and its kernel kills',
  on: 'vm-a',
  // Events of nodes are in no namespace of a user's: the question is about the node.
  live: ['node/vm-a'],
  manifest: true,
  breakIt: async (lab, namespace) => {
    // Without it the kernel pages its programs in and out for minutes before it gives up and kills.
    await must(lab.node('vm-a'), 'echo y > /sys/kernel/mm/lru_gen/enabled && echo 2000 > /sys/kernel/mm/lru_gen/min_ttl_ms');
    await scale(lab, namespace, 'importer', 1);
  },
  restore: async (lab, namespace) => {
    await scale(lab, namespace, 'importer', 0);
    await must(lab.node('vm-a'), 'echo 0 > /sys/kernel/mm/lru_gen/min_ttl_ms && echo n > /sys/kernel/mm/lru_gen/enabled');
  },
  until: {
    what: 'the kubelet tells of the kernel that killed for memory, and the pod was killed twice',
    withinSeconds: 300,
    holds: async (lab, namespace) =>
      (await hasEvent(lab, 'default', 'SystemOOM')) && (await anyPod(lab, namespace, (pod) => restartsOf(pod) >= 2)),
  },
  expect: { cause: 'oom-node-global', place: 'node vm-a', confidence: 'certain', victims: { atLeast: 1 } },
  never: ['oom-container-limit', 'app-exits-nonzero-at-start', 'liveness-probe-kills-slow-app'],
  host: ['vm-a'],
  evidence: {
    kubectl: [['get', 'events', '-A', '--field-selector', 'involvedObject.kind=Node']],
    node: [{ node: 'vm-a', command: 'journalctl -k -n 80 --no-pager' }],
  },
});
