import { defineScenario } from '../../src/scenario.ts';
import { both, eventSays, hadAMinute } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'readiness-never-true',
  title: 'An app runs and answers its readiness probe with 503',
  on: 'cluster',
  manifest: true,
  until: both(eventSays('Unhealthy', /Readiness probe failed: HTTP probe failed with statuscode: 503/), hadAMinute),
  expect: { cause: 'readiness-never-true', place: 'Deployment lab-readiness-never-true/basket', confidence: 'certain', victims: 1 },
  never: ['probe-wrong-port-or-path'],
});
