import { defineScenario } from '../../src/scenario.ts';
import { eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'unschedulable-cpu',
  title: 'No node has the cpu a pod asks for',
  on: 'cluster',
  scheduling: true,
  manifest: true,
  until: eventSays('FailedScheduling', /Insufficient cpu/),
  expect: { cause: 'sched-insufficient-resources', place: 'Deployment lab-unschedulable-cpu/trainer', confidence: 'certain', victims: 1 },
  never: ['sched-untolerated-taint'],
});
