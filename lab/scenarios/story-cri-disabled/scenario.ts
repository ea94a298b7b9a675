import { defineScenario } from '../../src/scenario.ts';
import { isNodeReady } from '../../src/up.ts';
import { allReady, waitForReady } from '../../src/vm/observe.ts';
import { resetNode } from '../../src/vm/setup.ts';

/** The configuration as the containerd package of Docker's repository installs it. */
const dockerStyle = `#   Licensed under the Apache License, Version 2.0 (the "License");

disabled_plugins = ["cri"]

#root = "/var/lib/containerd"
#state = "/run/containerd"
#subreaper = true
#oom_score = 0

#[grpc]
#  address = "/run/containerd/containerd.sock"
#  uid = 0
#  gid = 0
`;

export const scenario = defineScenario({
  id: 'story-cri-disabled',
  title: "a Docker-style config.toml disables containerd's CRI plugin: the kubelet cannot start any more",
  on: 'vm-a',
  manifest: true,
  ready: { what: 'the pod runs', withinSeconds: 420, holds: (lab, namespace) => allReady(lab, namespace, 1) },
  breakIt: async (lab) => {
    const node = lab.node('vm-a');
    await node.writeFile('/etc/containerd/config.toml', dockerStyle);
    await node.exec('systemctl restart containerd; systemctl restart kubelet');
  },
  until: { what: 'the node is no longer Ready', withinSeconds: 420, holds: async (lab) => !(await isNodeReady(lab, 'vm-a')) },
  expect: { cause: 'containerd-cri-plugin-disabled', place: 'node vm-a', confidence: 'certain', victims: { atLeast: 1 } },
  never: ['node-rebooted', 'node-unreachable'],
  host: ['vm-a'],
  evidence: {
    kubectl: [
      ['get', 'nodes', '-o', 'wide'],
      ['describe', 'node', 'vm-a'],
    ],
    node: [
      { node: 'vm-a', command: 'systemctl status kubelet containerd --no-pager' },
      { node: 'vm-a', command: 'journalctl -u kubelet -n 30 --no-pager' },
      { node: 'vm-a', command: 'journalctl -u containerd -n 40 --no-pager' },
      { node: 'vm-a', command: 'cat /etc/containerd/config.toml' },
    ],
  },
  restore: async (lab) => {
    await resetNode(lab.node('vm-a'));
    await waitForReady(lab, 'vm-a');
  },
});
