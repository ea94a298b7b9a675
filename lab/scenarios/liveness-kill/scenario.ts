import { defineScenario } from '../../src/scenario.ts';
import { both, eventSays, restarted } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'liveness-kill',
  title: 'A liveness probe kills an app that starts slowly',
  on: 'cluster',
  manifest: true,
  until: both(eventSays('Killing', /failed liveness probe/), restarted(2)),
  expect: { cause: 'liveness-probe-kills-slow-app', place: 'Deployment lab-liveness-kill/catalog', confidence: 'certain', victims: 1 },
  never: ['oom-container-limit', 'app-exits-nonzero-at-start', 'app-signalled-by-unknown-sender'],
});
