import { defineFix } from '../../src/fixes/define-fix.ts';
import { specOf } from '../../src/fixes/states.ts';
import { allReady } from '../conditions.ts';
import { scenario } from './scenario.ts';

export const fix = defineFix({
  scenario,
  set: ['amount=4'],
  state: (lab, namespace) => specOf(lab, 'resourcequota/team-budget', namespace),
  proofs: [allReady(2)],
});
