import { defineFix } from '../../src/fixes/define-fix.ts';
import { nodeIsReady } from '../../src/fixes/proofs.ts';
import { filesState } from '../../src/fixes/states.ts';
import { allReady } from '../../src/vm/observe.ts';
import { scenario } from './scenario.ts';

/** Containers that Docker calls up although their process is gone. */
const GHOSTS = `for id in $(docker ps -q); do
  pid=$(docker inspect -f '{{.State.Pid}}' "$id"); [ -d "/proc/$pid" ] || echo "$id"
done`;

export const fix = defineFix({
  scenario,
  node: 'vm-a',
  planShows: [/docker/i, /restarting containerd alone/i],
  state: (lab) => filesState(lab.node('vm-a'), ['/etc/docker/daemon.json', '/var/lib/kubelet/config.yaml']),
  undo: 'nothing',
  proofs: [
    nodeIsReady('vm-a'),
    { what: 'the agent runs', withinSeconds: 240, holds: (lab, namespace) => allReady(lab, namespace, 1) },
    {
      what: 'Docker calls no container up whose process is gone',
      withinSeconds: 60,
      holds: async (lab) => (await lab.node('vm-a').exec(GHOSTS)).stdout.trim() === '',
    },
  ],
});
