import { defineScenario } from '../../src/scenario.ts';
import { applyManifest, eventsIn, waitForReady } from '../../src/vm/observe.ts';
import { emptyNode, resetNode, useContainerd } from '../../src/vm/setup.ts';
import { unrelatedWorkloads } from '../../src/vm/story-manifests.ts';

/** The node is set up wrongly before its first pod, as in the story: the pods are applied when the fault is there. */
export const scenario = defineScenario({
  id: 'story-cgroup-drivers',
  title: 'kubelet on systemd, containerd on cgroupfs: pods on cgroup v2 are stopped silently, again and again',
  on: 'vm-a',
  breakIt: async (lab, namespace) => {
    await emptyNode(lab.node('vm-a'));
    await useContainerd(lab.node('vm-a'), { kubelet: 'systemd', runtime: 'cgroupfs' });
    await applyManifest(lab, namespace, unrelatedWorkloads);
  },
  until: {
    what: 'three pods were re-created twice without an error',
    withinSeconds: 420,
    holds: async (lab, namespace) => {
      const events = await eventsIn(lab, namespace);
      const changed = events.filter(({ reason }) => reason === 'SandboxChanged');
      return new Set(changed.map(({ object }) => object)).size >= 3 && changed.every(({ count }) => count >= 2);
    },
  },
  expect: { cause: 'cgroup-driver-kubelet-systemd-runtime-cgroupfs', place: 'node vm-a', confidence: 'certain', victims: { atLeast: 3 } },
  never: [
    'oom-container-limit',
    'liveness-probe-kills-slow-app',
    'app-exits-nonzero-at-start',
    'app-completes-under-restart-always',
    'node-rebooted',
  ],
  host: ['vm-a'],
  evidence: {
    node: [
      { node: 'vm-a', command: 'journalctl -u kubelet -n 60 --no-pager' },
      { node: 'vm-a', command: 'cat /var/lib/kubelet/config.yaml' },
      { node: 'vm-a', command: 'containerd config dump' },
      { node: 'vm-a', command: "find /sys/fs/cgroup -maxdepth 5 -name '*cri-containerd*' | head -20" },
      { node: 'vm-a', command: 'stat -fc %T /sys/fs/cgroup' },
    ],
  },
  restore: async (lab) => {
    await resetNode(lab.node('vm-a'));
    await waitForReady(lab, 'vm-a');
  },
});
