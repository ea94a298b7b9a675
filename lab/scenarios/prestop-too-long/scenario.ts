import { defineScenario } from '../../src/scenario.ts';
import { allReady, deletedFor } from '../conditions.ts';

/** As the manifest says; the deadline of a deletion lies that far ahead. */
const GRACE_SECONDS = 300;

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
  until: deletedFor(65 - GRACE_SECONDS),
  expect: {
    cause: 'termination-grace-period-too-long',
    place: 'Deployment lab-prestop-too-long/sessions',
    confidence: 'certain',
    victims: 1,
  },
  never: ['finalizer-blocks-deletion', 'apparmor-denies-runc-signal', 'node-unreachable'],
});
