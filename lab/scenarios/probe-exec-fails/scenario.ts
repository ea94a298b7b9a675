import { defineScenario } from '../../src/scenario.ts';
import { both, eventSays, hadAMinute } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'probe-exec-fails',
  title: 'An exec probe calls a program that the image does not have',
  on: 'cluster',
  manifest: true,
  until: both(eventSays('Unhealthy', /Readiness probe/), hadAMinute),
  expect: { cause: 'probe-exec-fails', place: 'Deployment lab-probe-exec-fails/ledger', confidence: 'certain', victims: 1 },
});
