import { defineScenario } from '../../src/scenario.ts';
import { eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'unschedulable-taint',
  title: 'All nodes are tainted for somebody else',
  on: 'worker-a',
  scheduling: true,
  manifest: true,
  breakIt: async (lab, namespace) => {
    await lab.kubectl(['taint', 'nodes', '--all', 'dedicated=tenant-7:NoSchedule']);
    await lab.kubectl(['scale', 'deployment/batch', '-n', namespace, '--replicas=1']);
  },
  restore: async (lab) => {
    await lab.kubectl(['taint', 'nodes', '--all', 'dedicated-']);
  },
  live: ['-n', 'lab-unschedulable-taint'],
  until: eventSays('FailedScheduling', /untolerated taint \{dedicated: tenant-7\}/),
  expect: { cause: 'sched-untolerated-taint', place: 'Deployment lab-unschedulable-taint/batch', confidence: 'certain', victims: 1 },
  never: ['sched-node-cordoned', 'sched-insufficient-resources'],
});
