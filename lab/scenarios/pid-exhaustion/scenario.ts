import { anyPod, waitsWith } from '../../src/conditions.ts';
import { must } from '../../src/faults.ts';
import { kubeletConfiguration } from '../../src/node/configuration.ts';
import { defineScenario } from '../../src/scenario.ts';

const CONFIGURATION = '/var/lib/kubelet/config.yaml';

export const scenario = defineScenario({
  id: 'pid-exhaustion',
  title: 'A program needs more processes than the kubelet allows a pod',
  on: 'worker-a',
  manifest: true,
  breakIt: async (lab) => {
    const node = lab.node('worker-a');
    await node.writeFile(CONFIGURATION, kubeletConfiguration('systemd', 'podPidsLimit: 40\n'));
    await must(node, 'systemctl restart kubelet');
    await lab.kubectl(['delete', 'pods', '--all', '-n', 'lab-pid-exhaustion', '--grace-period=1', '--wait=false']);
  },
  restore: async (lab) => {
    const node = lab.node('worker-a');
    await node.writeFile(CONFIGURATION, kubeletConfiguration());
    await must(node, 'systemctl restart kubelet');
  },
  until: {
    what: 'the program crashes again and again',
    withinSeconds: 180,
    holds: (lab, namespace) => anyPod(lab, namespace, (pod) => waitsWith(pod, 'CrashLoopBackOff')),
  },
  expect: {
    cause: 'pid-limit-reached',
    place: 'container shop of Deployment lab-pid-exhaustion/shop',
    confidence: 'certain',
    victims: 1,
  },
  never: ['oom-container-limit', 'app-exits-nonzero-at-start', 'evicted-pid-pressure'],
  evidence: { node: [{ node: 'worker-a', command: 'journalctl -k -n 20 --no-pager' }] },
});
