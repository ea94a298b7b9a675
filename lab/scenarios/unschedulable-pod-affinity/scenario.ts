import { defineScenario } from '../../src/scenario.ts';
import { eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'unschedulable-pod-affinity',
  title: 'A pod wants to be beside pods that do not exist',
  on: 'cluster',
  scheduling: true,
  manifest: true,
  until: eventSays('FailedScheduling', /didn't match pod affinity rules/),
  expect: {
    cause: 'sched-pod-affinity-unsatisfied',
    place: 'Deployment lab-unschedulable-pod-affinity/sidekick',
    confidence: 'certain',
    victims: 1,
  },
  never: ['sched-selector-or-affinity-mismatch'],
});
