import { defineFix } from '../../src/fixes/define-fix.ts';
import { nodeIsReady } from '../../src/fixes/proofs.ts';
import { filesState } from '../../src/fixes/states.ts';
import { allReady } from '../../src/vm/observe.ts';
import { scenario } from './scenario.ts';

export const fix = defineFix({
  scenario,
  node: 'vm-a',
  state: (lab) => filesState(lab.node('vm-a'), ['/etc/containerd/config.toml']),
  proofs: [nodeIsReady('vm-a'), { what: 'the pod runs', withinSeconds: 180, holds: (lab, namespace) => allReady(lab, namespace, 1) }],
});
