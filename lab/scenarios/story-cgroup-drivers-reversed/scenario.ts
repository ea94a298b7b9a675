import { defineScenario } from '../../src/scenario.ts';
import { applyManifest, eventsIn, waitForReady } from '../../src/vm/observe.ts';
import { emptyNode, resetNode, useContainerd } from '../../src/vm/setup.ts';
import { unrelatedWorkloads } from '../../src/vm/story-manifests.ts';

export const scenario = defineScenario({
  id: 'story-cgroup-drivers-reversed',
  title: 'kubelet on cgroupfs, containerd on systemd: no sandbox can be made',
  on: 'vm-a',
  breakIt: async (lab, namespace) => {
    await emptyNode(lab.node('vm-a'));
    await useContainerd(lab.node('vm-a'), { kubelet: 'cgroupfs', runtime: 'systemd' });
    await applyManifest(lab, namespace, unrelatedWorkloads);
  },
  until: {
    what: 'the runtime refused the cgroup path of three pods',
    withinSeconds: 420,
    holds: async (lab, namespace) => {
      const events = await eventsIn(lab, namespace);
      const refused = events.filter(({ message }) => message.includes('expected cgroupsPath to be of format'));
      return new Set(refused.map(({ object }) => object)).size >= 3;
    },
  },
  expect: { cause: 'cgroup-driver-kubelet-cgroupfs-runtime-systemd', place: 'node vm-a', confidence: 'certain', victims: 3 },
  never: ['cgroup-driver-kubelet-systemd-runtime-cgroupfs', 'sandbox-image-unavailable', 'cni-not-initialised'],
  evidence: {
    node: [
      { node: 'vm-a', command: 'journalctl -u kubelet -n 40 --no-pager' },
      { node: 'vm-a', command: 'journalctl -u containerd -n 40 --no-pager' },
      { node: 'vm-a', command: 'cat /var/lib/kubelet/config.yaml' },
      { node: 'vm-a', command: 'containerd config dump | grep -n SystemdCgroup' },
    ],
  },
  restore: async (lab) => {
    await resetNode(lab.node('vm-a'));
    await waitForReady(lab, 'vm-a');
  },
});
