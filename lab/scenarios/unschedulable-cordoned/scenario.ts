import { defineScenario } from '../../src/scenario.ts';
import { eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'unschedulable-cordoned',
  title: 'All nodes are cordoned',
  on: 'worker-a',
  scheduling: true,
  manifest: true,
  breakIt: async (lab, namespace) => {
    await lab.kubectl(['cordon', '--selector=kubernetes.io/os=linux']);
    await lab.kubectl(['scale', 'deployment/stats', '-n', namespace, '--replicas=1']);
  },
  restore: async (lab) => {
    await lab.kubectl(['uncordon', '--selector=kubernetes.io/os=linux']);
  },
  live: ['-n', 'lab-unschedulable-cordoned'],
  until: eventSays('FailedScheduling', /unschedulable/),
  expect: { cause: 'sched-node-cordoned', place: 'the cluster', confidence: 'certain', victims: 1 },
  never: ['sched-untolerated-taint', 'sched-insufficient-resources'],
});
