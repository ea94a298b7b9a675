import { defineScenario } from '../../src/scenario.ts';
import { allReady, both, eventSays, isOlderThan, somePod } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'prestop-too-long',
  title: 'A preStop hook keeps a deleted pod for minutes',
  on: 'cluster',
  manifest: true,
  ready: allReady(1),
  breakIt: async (lab, namespace) => {
    await lab.kubectl(['scale', 'deployment/sessions', '-n', namespace, '--replicas=0']);
  },
  restore: async (lab, namespace) => {
    await lab.kubectl(['delete', 'pods', '--all', '-n', namespace, '--force', '--grace-period=0', '--wait=false']);
  },
  until: both(
    somePod('a pod is Terminating', 60, (pod) => pod.metadata.deletionTimestamp !== undefined && isOlderThan(pod, 65)),
    eventSays('Killing', /Stopping container/, 120, 65),
  ),
  expect: { cause: 'termination-grace-period-too-long', place: 'Deployment lab-prestop-too-long/sessions', confidence: 'certain', victims: 1 },
  never: ['finalizer-blocks-deletion', 'apparmor-denies-runc-signal', 'node-unreachable'],
});
