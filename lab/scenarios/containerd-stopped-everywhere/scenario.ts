import { allPodsReady, nodeCondition } from '../../src/conditions.ts';
import { must, scale } from '../../src/faults.ts';
import type { Lab } from '../../src/lab.ts';
import { defineScenario } from '../../src/scenario.ts';

const NODES = ['worker-a', 'worker-b'];

async function isDown(lab: Lab, node: string): Promise<boolean> {
  return (await nodeCondition(lab, node, 'Ready'))?.status === 'False';
}

export const scenario = defineScenario({
  id: 'containerd-stopped-everywhere',
  title: 'containerd was stopped on two nodes',
  on: 'worker-a',
  manifest: true,
  ready: allPodsReady(),
  breakIt: async (lab, namespace) => {
    for (const node of NODES) await must(lab.node(node), 'systemctl stop containerd');
    // A pod that is stuck there makes this node the first of the report.
    await scale(lab, namespace, 'shop', 3);
  },
  restore: async (lab) => {
    for (const node of NODES) await must(lab.node(node), 'systemctl start containerd');
  },
  until: {
    what: 'both nodes say that they are not ready',
    withinSeconds: 180,
    holds: async (lab) => (await Promise.all(NODES.map((node) => isDown(lab, node)))).every(Boolean),
  },
  // Nodes are no part of a namespace: all of the cluster is looked at.
  live: ['-A'],
  expect: { cause: 'runtime-socket-gone-or-refused', place: 'node worker-a', confidence: 'certain', victims: 2 },
  never: ['node-unreachable', 'kubelet-unit-stopped', 'app-exits-nonzero-at-start'],
});
