import { defineScenario } from '../../src/scenario.ts';
import { eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'quota-exceeded',
  title: 'A ResourceQuota allows no further pod',
  on: 'cluster',
  manifest: true,
  until: eventSays('FailedCreate', /exceeded quota: team-budget/),
  expect: { cause: 'quota-exceeded', place: 'namespace lab-quota-exceeded', confidence: 'certain', victims: 1 },
  never: ['sched-insufficient-resources'],
  evidence: {
    kubectl: [
      ['describe', 'resourcequota'],
      ['describe', 'rs'],
    ],
  },
});
