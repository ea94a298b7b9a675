import { defineScenario } from '../../src/scenario.ts';
import { eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'limit-range',
  title: 'A LimitRange forbids the memory limit of a pod',
  on: 'cluster',
  manifest: true,
  until: eventSays('FailedCreate', /maximum memory usage per Container is 64Mi/),
  expect: { cause: 'limitrange-violation', place: 'namespace lab-limit-range', confidence: 'certain', victims: 1 },
  never: ['quota-exceeded'],
  evidence: {
    kubectl: [
      ['describe', 'limitrange'],
      ['describe', 'rs'],
    ],
  },
});
