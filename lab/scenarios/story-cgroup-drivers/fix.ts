import { defineFix } from '../../src/fixes/define-fix.ts';
import { nodeIsReady } from '../../src/fixes/proofs.ts';
import { filesState } from '../../src/fixes/states.ts';
import { allReady } from '../../src/vm/observe.ts';
import { scenario } from './scenario.ts';

/** Groups of containers by driver: systemd's end in .scope. */
const GROUPS =
  "find /sys/fs/cgroup -type d -path '*kubepods*' -name '*cri-containerd*' -exec sh -c 'grep -q . $1/cgroup.procs && echo $1' sh {} ';'";

/** A runtime that is restarted while it makes a container may leave half of one, which the next story would find. */
const END_STRAYS = "find /sys/fs/cgroup -type d -name '*:cri-containerd:*' -exec sh -c 'echo 1 > $1/cgroup.kill' sh {} ';'";

export const fix = defineFix({
  scenario,
  node: 'vm-a',
  state: (lab) => filesState(lab.node('vm-a'), ['/etc/containerd/config.toml', '/var/lib/kubelet/config.yaml']),
  tidy: async (lab) => {
    await lab.node('vm-a').exec(END_STRAYS);
  },
  proofs: [
    nodeIsReady('vm-a'),
    { what: 'all pods are ready', withinSeconds: 240, holds: (lab, namespace) => allReady(lab, namespace, 3) },
    {
      what: 'containers are in .scope paths, and in no others',
      withinSeconds: 120,
      holds: async (lab) => {
        const groups = (await lab.node('vm-a').exec(GROUPS)).stdout.trim().split('\n');
        return groups.length >= 3 && groups.every((group) => group.endsWith('.scope'));
      },
    },
  ],
});
