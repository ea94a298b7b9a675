import { allPodsReady } from '../../src/conditions.ts';
import { defineFix } from '../../src/fixes/define-fix.ts';
import { nodeIsReady } from '../../src/fixes/proofs.ts';
import { unitsState } from '../../src/fixes/states.ts';
import { scenario } from './scenario.ts';

export const fix = defineFix({
  scenario,
  node: 'worker-a',
  state: (lab) => unitsState(lab.node('worker-a'), ['containerd', 'kubelet']),
  proofs: [nodeIsReady('worker-a'), allPodsReady()],
});
