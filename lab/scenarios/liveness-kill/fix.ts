import { everyPod, isOlderThan, isPodReady, restartsOf } from '../../src/conditions.ts';
import { defineFix } from '../../src/fixes/define-fix.ts';
import { specOf } from '../../src/fixes/states.ts';
import { scenario } from './scenario.ts';

/** Slower than its probe allows, and quicker than the probe that was given more time. */
export const fix = defineFix({
  scenario,
  manifest: (text) => text.replace('sleep 120;', 'sleep 12; echo open > /tmp/index.html;'),
  state: (lab, namespace) => specOf(lab, 'deployment/catalog', namespace),
  proofs: [
    {
      what: 'no pod was killed in its first minute',
      withinSeconds: 90,
      holds: (lab, namespace) => everyPod(lab, namespace, (pod) => isPodReady(pod) && isOlderThan(pod, 60) && restartsOf(pod) === 0),
    },
  ],
});
