import type { Lab } from '../../src/lab.ts';
import { defineScenario } from '../../src/scenario.ts';
import { isNodeReady } from '../../src/up.ts';
import { applyManifest, podsIn, waitForReady } from '../../src/vm/observe.ts';
import { resetNode, useDocker } from '../../src/vm/setup.ts';
import { onVm } from '../../src/vm/story-manifests.ts';

const manifest = `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: net-agent }
spec:
  selector: { matchLabels: { app: net-agent } }
  template:
    metadata: { labels: { app: net-agent } }
    spec:
${onVm('      ')}
      hostNetwork: true
      terminationGracePeriodSeconds: 5
      automountServiceAccountToken: false
      initContainers:
        - name: upgrade-ipam
          image: lab.local/busybox:1
          command: [sh, -c, 'echo "upgrading addresses"; sleep 40; echo "done"']
        - name: install-cni
          image: lab.local/busybox:1
          command: [sh, -c, 'echo "installing plugins"']
      containers:
        - name: net-agent
          image: lab.local/busybox:1
          command: [sh, -c, 'echo "agent ready"; trap "exit 0" TERM; sleep 100000 & wait']
`;

/** Done by the guest itself: the cluster hears of the start too late on a busy machine. */
const stopContainerdUnderInit = [
  'for second in $(seq 240); do',
  '  docker ps -q --filter name=k8s_upgrade-ipam --filter status=running | grep -q . && break',
  '  sleep 1',
  'done',
  'sleep 5; systemctl kill --kill-whom=main -s STOP containerd',
].join('\n');

async function initRuns(lab: Lab, namespace: string): Promise<boolean> {
  const [pod] = await podsIn(lab, namespace);
  return pod?.inits[0]?.running === true;
}

/** Docker is not the runtime other scenarios know; everything is made here and taken back in the end. */
export const scenario = defineScenario({
  id: 'story-docker-lost-containerd',
  title: 'Docker is the runtime and containerd hangs below it: an init container seems to run for ever',
  on: 'vm-a',
  breakIt: async (lab, namespace) => {
    const node = lab.node('vm-a');
    await useDocker(node);
    await waitForReady(lab, 'vm-a');
    await applyManifest(lab, namespace, manifest);
    const stopped = await node.exec(stopContainerdUnderInit, { timeoutSeconds: 300 });
    if (stopped.code !== 0) throw new Error(`the init container did not start: ${stopped.stderr.trim()}`);
  },
  until: {
    what: 'the kubelet calls the runtime down while Docker still calls the init container up',
    withinSeconds: 420,
    holds: async (lab, namespace) => !(await isNodeReady(lab, 'vm-a')) && (await initRuns(lab, namespace)),
  },
  expect: { cause: 'dockerd-lost-containerd', place: 'node vm-a', confidence: 'certain', victims: { atLeast: 1 } },
  never: ['init-container-waits-by-design', 'init-container-failing', 'node-unreachable'],
  host: ['vm-a'],
  evidence: {
    kubectl: [
      ['get', 'nodes', '-o', 'wide'],
      ['describe', 'node', 'vm-a'],
    ],
    node: [
      { node: 'vm-a', command: 'journalctl -u kubelet -n 40 --no-pager' },
      { node: 'vm-a', command: 'journalctl -u docker -u containerd -n 30 --no-pager' },
      { node: 'vm-a', command: 'systemctl status docker containerd --no-pager' },
      { node: 'vm-a', command: 'docker ps -a' },
    ],
  },
  restore: async (lab) => {
    const node = lab.node('vm-a');
    await node.exec('systemctl kill --kill-whom=main -s CONT containerd; systemctl restart containerd; systemctl restart docker', {
      timeoutSeconds: 180,
    });
    await resetNode(node);
    await waitForReady(lab, 'vm-a');
  },
});
