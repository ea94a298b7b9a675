import { defineScenario } from '../../src/scenario.ts';
import { eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'unschedulable-memory',
  title: 'No node has the memory a pod asks for',
  on: 'cluster',
  scheduling: true,
  manifest: true,
  until: eventSays('FailedScheduling', /Insufficient memory/),
  expect: {
    cause: 'sched-insufficient-resources',
    place: 'StatefulSet lab-unschedulable-memory/warehouse',
    confidence: 'certain',
    victims: 1,
  },
  never: ['sched-untolerated-taint'],
});
