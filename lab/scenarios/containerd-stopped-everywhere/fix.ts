import { allPodsReady } from '../../src/conditions.ts';
import { defineFix } from '../../src/fixes/define-fix.ts';
import { nodeIsReady } from '../../src/fixes/proofs.ts';
import { unitsState } from '../../src/fixes/states.ts';
import { scenario } from './scenario.ts';

const UNITS = ['containerd', 'kubelet'];

/** One node first, watched; then the other. */
export const fix = defineFix({
  scenario,
  node: 'worker-a',
  others: ['worker-b'],
  state: async (lab) => `${await unitsState(lab.node('worker-a'), UNITS)}\n${await unitsState(lab.node('worker-b'), UNITS)}`,
  proofs: [nodeIsReady('worker-a'), nodeIsReady('worker-b'), allPodsReady()],
});
