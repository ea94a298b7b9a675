import { allPodsReady, anyPod, waitsWith } from '../../src/conditions.ts';
import { defineScenario } from '../../src/scenario.ts';

const RELOADER = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: reloader
spec:
  selector:
    matchLabels: { app: reloader }
  template:
    metadata:
      labels: { app: reloader }
    spec:
      nodeSelector: { kubernetes.io/hostname: worker-a }
      terminationGracePeriodSeconds: 1
      securityContext: { runAsUser: 41900 }
      containers:
        - name: reloader
          image: lab.local/watcher:1
`;

/** The account is kept per user and node, so a user of its own spares the rest of the machine. */
export const scenario = defineScenario({
  id: 'inotify-limit',
  title: 'One pod holds all inotify instances that its user may have on the node; the next one crashes',
  on: 'worker-a',
  manifest: true,
  ready: allPodsReady(),
  breakIt: async (lab, namespace) => {
    await lab.kubectl(['apply', '-n', namespace, '-f', '-'], { input: RELOADER });
  },
  until: {
    what: 'the second program crashes again and again',
    withinSeconds: 120,
    holds: (lab, namespace) => anyPod(lab, namespace, (pod) => waitsWith(pod, 'CrashLoopBackOff')),
  },
  expect: { cause: 'inotify-limits-exhausted', place: 'node worker-a', confidence: 'certain', victims: 1 },
  never: ['app-exits-nonzero-at-start', 'evicted-disk-pressure'],
  evidence: { node: [{ node: 'worker-a', command: 'sysctl fs.inotify' }] },
});
