import { allPodsReady, countWithEvent } from '../../src/conditions.ts';
import { must, scale } from '../../src/faults.ts';
import { SANDBOX_IMAGE } from '../../src/node/configuration.ts';
import { defineScenario } from '../../src/scenario.ts';

const ARCHIVE = '/var/tmp/pause.tar';

export const scenario = defineScenario({
  id: 'pause-image-missing',
  title: 'The sandbox image is gone from a node that reaches no registry',
  on: 'worker-a',
  manifest: true,
  ready: allPodsReady(),
  breakIt: async (lab, namespace) => {
    const node = lab.node('worker-a');
    await must(node, `ctr -n k8s.io images export ${ARCHIVE} ${SANDBOX_IMAGE}`);
    await must(node, `ctr -n k8s.io images rm --sync $(ctr -n k8s.io images ls -q | grep -v lab.local)`);
    await scale(lab, namespace, 'shop', 3);
  },
  restore: async (lab) => {
    await must(lab.node('worker-a'), `ctr -n k8s.io images import ${ARCHIVE} && rm ${ARCHIVE}`);
  },
  until: {
    what: 'pods get no sandbox because its image cannot be had',
    withinSeconds: 120,
    holds: async (lab, namespace) => (await countWithEvent(lab, namespace, 'FailedCreatePodSandBox', 'failed to get sandbox image')) === 2,
  },
  expect: { cause: 'sandbox-image-unavailable', place: 'node worker-a', confidence: 'certain', victims: 2 },
  never: ['image-registry-dns-failure', 'cni-binary-missing', 'image-not-found'],
  evidence: {
    node: [
      { node: 'worker-a', command: 'journalctl -u kubelet -n 40 --no-pager' },
      { node: 'worker-a', command: 'journalctl -u containerd -n 20 --no-pager' },
    ],
  },
});
