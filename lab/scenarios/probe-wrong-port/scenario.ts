import { defineScenario } from '../../src/scenario.ts';
import { both, eventSays, hadAMinute } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'probe-wrong-port',
  title: 'A readiness probe asks a port on which nobody listens',
  on: 'cluster',
  manifest: true,
  until: both(eventSays('Unhealthy', /8081.*connection refused/), hadAMinute),
  expect: { cause: 'readiness-never-true', place: 'Deployment lab-probe-wrong-port/profile', confidence: 'certain', victims: 1 },
  never: ['liveness-probe-kills-slow-app'],
});
