import { defineScenario } from '../../src/scenario.ts';
import { podsIn } from '../../src/vm/observe.ts';

export const scenario = defineScenario({
  id: 'story-iscsi-missing',
  title: 'a DaemonSet that needs iscsiadm of the host, on a host without it',
  on: 'vm-a',
  manifest: true,
  until: {
    what: 'the manager is in CrashLoopBackOff after two restarts',
    withinSeconds: 420,
    holds: async (lab, namespace) => {
      const [pod] = await podsIn(lab, namespace);
      const container = pod?.containers[0];
      return container?.waiting === 'CrashLoopBackOff' && container.restartCount >= 2;
    },
  },
  expect: { cause: 'host-missing-iscsi-longhorn', place: 'namespace lab-story-iscsi-missing', confidence: 'certain', victims: 1 },
  never: ['app-exits-nonzero-at-start', 'app-command-not-found'],
  evidence: { node: [{ node: 'vm-a', command: 'command -v iscsiadm' }] },
});
