import { allPodsReady } from '../../src/conditions.ts';
import { defineFix } from '../../src/fixes/define-fix.ts';
import { nodeIsReady } from '../../src/fixes/proofs.ts';
import { filesState } from '../../src/fixes/states.ts';
import { scenario } from './scenario.ts';

export const fix = defineFix({
  scenario,
  node: 'worker-a',
  state: (lab) => filesState(lab.node('worker-a'), ['/etc/containerd/config.toml', '/var/lib/kubelet/config.yaml']),
  undo: 'nothing',
  proofs: [
    nodeIsReady('worker-a'),
    allPodsReady(),
    {
      what: 'containerd answers',
      withinSeconds: 10,
      holds: async (lab) => (await lab.node('worker-a').exec('timeout 10 ctr version')).code === 0,
    },
  ],
});
