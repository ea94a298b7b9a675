import { allPodsReady } from '../../src/conditions.ts';
import { defineFix } from '../../src/fixes/define-fix.ts';
import { specOf } from '../../src/fixes/states.ts';
import { scenario } from './scenario.ts';

/** The right image is on the node: no registry of the lab has one to give. */
export const fix = defineFix({
  scenario,
  manifest: (text) => text.replace('imagePullPolicy: Always', 'imagePullPolicy: IfNotPresent'),
  set: ['image=lab.local/busybox:1'],
  state: (lab, namespace) => specOf(lab, 'deployment/shop', namespace),
  proofs: [allPodsReady()],
});
