import { allPodsReady } from '../../src/conditions.ts';
import { must } from '../../src/faults.ts';
import { defineFix } from '../../src/fixes/define-fix.ts';
import { filesState } from '../../src/fixes/states.ts';
import { SANDBOX_IMAGE } from '../../src/node/configuration.ts';
import { scenario } from './scenario.ts';

const MIRRORED = 'lab.local/pause:1';

/** The same image under the name of a mirror, as people have it whose nodes reach no other registry. */
export const fix = defineFix({
  scenario,
  node: 'worker-a',
  set: [`image=${MIRRORED}`],
  prepare: async (lab) => {
    const images = 'ctr -n k8s.io images';
    const steps = [
      `${images} import /var/tmp/pause.tar`,
      `${images} tag ${SANDBOX_IMAGE} ${MIRRORED}`,
      `${images} rm --sync ${SANDBOX_IMAGE}`,
    ];
    await must(lab.node('worker-a'), steps.join(' && '));
  },
  tidy: async (lab) => {
    await must(lab.node('worker-a'), `ctr -n k8s.io images rm --sync ${MIRRORED}`);
  },
  state: (lab) => filesState(lab.node('worker-a'), ['/etc/containerd/config.toml']),
  proofs: [allPodsReady()],
});
