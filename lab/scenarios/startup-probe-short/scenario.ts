import { defineScenario } from '../../src/scenario.ts';
import { both, eventSays, restarted } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'startup-probe-short',
  title: 'A startup probe gives an app less time than it needs',
  on: 'cluster',
  manifest: true,
  until: both(eventSays('Killing', /failed startup probe/), restarted(2)),
  expect: { cause: 'startup-probe-exhausted', place: 'Deployment lab-startup-probe-short/search', confidence: 'certain', victims: 1 },
  never: ['liveness-probe-kills-slow-app', 'app-exits-nonzero-at-start', 'app-signalled-by-unknown-sender'],
});
