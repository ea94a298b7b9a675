import { defineScenario } from '../../src/scenario.ts';
import { allReady, deletedFor } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'finalizer-stuck',
  title: 'A finalizer that nobody removes keeps a deleted pod',
  on: 'cluster',
  manifest: true,
  ready: allReady(1),
  breakIt: async (lab, namespace) => {
    await lab.kubectl(['delete', 'pod', 'archive', '-n', namespace, '--wait=false']);
  },
  restore: async (lab, namespace) => {
    await lab.kubectl(['patch', 'pod', 'archive', '-n', namespace, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
  },
  until: deletedFor(65),
  expect: { cause: 'finalizer-blocks-deletion', place: 'pod lab-finalizer-stuck/archive', confidence: 'certain', victims: 1 },
  never: ['termination-grace-period-too-long', 'apparmor-denies-runc-signal'],
  evidence: { kubectl: [['get', 'pods', '-o', 'yaml']] },
});
