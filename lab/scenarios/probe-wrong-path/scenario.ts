import { defineScenario } from '../../src/scenario.ts';
import { both, eventSays, hadAMinute } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'probe-wrong-path',
  title: 'A readiness probe asks a path that the program does not have',
  on: 'cluster',
  manifest: true,
  until: both(eventSays('Unhealthy', /statuscode: 404/), hadAMinute),
  expect: { cause: 'probe-wrong-port-or-path', place: 'Deployment lab-probe-wrong-path/offers', confidence: 'certain', victims: 1 },
  never: ['liveness-probe-kills-slow-app'],
});
