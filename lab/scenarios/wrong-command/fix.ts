import { allPodsReady } from '../../src/conditions.ts';
import { defineFix } from '../../src/fixes/define-fix.ts';
import { specOf } from '../../src/fixes/states.ts';
import { scenario } from './scenario.ts';

export const fix = defineFix({
  scenario,
  set: ['command=["sleep", "3600"]'],
  state: (lab, namespace) => specOf(lab, 'deployment/api', namespace),
  proofs: [allPodsReady()],
});
