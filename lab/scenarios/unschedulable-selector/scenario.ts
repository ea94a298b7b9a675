import { defineScenario } from '../../src/scenario.ts';
import { eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'unschedulable-selector',
  title: 'No node has the label a pod asks for',
  on: 'cluster',
  scheduling: true,
  manifest: true,
  until: eventSays('FailedScheduling', /didn't match Pod's node affinity\/selector/),
  expect: {
    cause: 'sched-selector-or-affinity-mismatch',
    place: 'Deployment lab-unschedulable-selector/gpu-job',
    confidence: 'certain',
    victims: 1,
  },
  never: ['sched-insufficient-resources'],
});
