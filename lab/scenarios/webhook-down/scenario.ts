import { defineScenario } from '../../src/scenario.ts';
import { eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'webhook-down',
  title: 'The service behind an admission webhook has no endpoints',
  on: 'cluster',
  manifest: true,
  until: eventSays('FailedCreate', /failed calling webhook "pods.guard.lab.local"/),
  expect: { cause: 'admission-webhook-unavailable', place: 'the cluster', confidence: 'certain', victims: 1 },
  evidence: {
    kubectl: [
      ['describe', 'rs'],
      ['get', 'endpoints', 'guard'],
    ],
  },
});
