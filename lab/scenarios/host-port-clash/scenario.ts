import { defineScenario } from '../../src/scenario.ts';
import { eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'host-port-clash',
  title: 'Three replicas want the same port of two nodes',
  on: 'cluster',
  scheduling: true,
  manifest: true,
  until: eventSays('FailedScheduling', /didn't have free ports for the requested pod ports/),
  expect: { cause: 'sched-host-port-conflict', place: 'Deployment lab-host-port-clash/edge', confidence: 'certain', victims: 1 },
  never: ['sched-insufficient-resources', 'app-port-already-in-use'],
});
