import { allPodsReady } from '../../src/conditions.ts';
import { defineFix } from '../../src/fixes/define-fix.ts';
import { specOf } from '../../src/fixes/states.ts';
import { scenario } from './scenario.ts';

/** Twice the limit is not enough for a program without an end to its needs: this one wants 30 MB and no more. */
export const fix = defineFix({
  scenario,
  manifest: (text) =>
    text.replace('tail /dev/zero; code=$?;', 'head -c 30000000 /dev/zero | tail > /dev/null; code=$?; [ $code = 0 ] && exec sleep 3600;'),
  state: (lab, namespace) => specOf(lab, 'deployment/reports', namespace),
  proofs: [allPodsReady()],
});
