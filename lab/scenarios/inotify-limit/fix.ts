import { allPodsReady } from '../../src/conditions.ts';
import { defineFix } from '../../src/fixes/define-fix.ts';
import { commandState, filesState } from '../../src/fixes/states.ts';
import { scenario } from './scenario.ts';

/** The node works, so its host can be reached the way people without a shell there have: through a pod. */
export const fix = defineFix({
  scenario,
  node: 'worker-a',
  way: 'deep',
  state: async (lab) => {
    const node = lab.node('worker-a');
    const limits = 'cat /proc/sys/fs/inotify/max_user_instances /proc/sys/fs/inotify/max_user_watches; ls /etc/sysctl.d';
    return `${await commandState(node, limits)}${await filesState(node, ['/etc/sysctl.d/zz-podcause.conf'])}`;
  },
  proofs: [allPodsReady(180)],
});
