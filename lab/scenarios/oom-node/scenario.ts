import { hasEvent } from '../../src/conditions.ts';
import { defineScenario } from '../../src/scenario.ts';

export const scenario = defineScenario({
  id: 'oom-node',
  title: 'Pods without limits use up the memory of a node, and its kernel kills',
  on: 'vm-a',
  manifest: true,
  until: {
    what: 'the kubelet tells of the kernel that killed for memory',
    withinSeconds: 300,
    holds: (lab) => hasEvent(lab, 'default', 'SystemOOM'),
  },
  expect: { cause: 'oom-node-global', place: 'node vm-a', confidence: 'certain', victims: { atLeast: 1 } },
  never: ['oom-container-limit', 'app-exits-nonzero-at-start', 'liveness-probe-kills-slow-app'],
  host: ['vm-a'],
  evidence: {
    kubectl: [['get', 'events', '-A', '--field-selector', 'involvedObject.kind=Node']],
    node: [{ node: 'vm-a', command: 'journalctl -k -n 80 --no-pager' }],
  },
});
