import { defineScenario } from '../../src/scenario.ts';
import { both, eventSays, isOlderThan, somePod } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'probe-wrong-port',
  title: 'A readiness probe asks a port on which nobody listens',
  on: 'cluster',
  manifest: true,
  until: both(
    eventSays('Unhealthy', /8081.*connection refused/),
    somePod('it has had a minute to start', 100, (pod) => isOlderThan(pod, 65)),
  ),
  expect: { cause: 'readiness-never-true', place: 'Deployment lab-probe-wrong-port/profile', confidence: 'certain', victims: 1 },
  never: ['liveness-probe-kills-slow-app'],
});
