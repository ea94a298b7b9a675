import { allPodsReady } from '../../src/conditions.ts';
import { defineFix } from '../../src/fixes/define-fix.ts';
import { scenario } from './scenario.ts';

/** A taint follows a cordon, with the time it was made: the cordon itself is what somebody wanted. */
const NAMES_AND_CORDONS = 'custom-columns=:metadata.name,:spec.unschedulable';

export const fix = defineFix({
  scenario,
  state: async (lab) => (await lab.kubectl(['get', 'nodes', '-o', NAMES_AND_CORDONS])).stdout,
  proofs: [allPodsReady()],
});
