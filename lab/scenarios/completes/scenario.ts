import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'completes',
  title: 'A one-time task runs as a Deployment and is restarted for ever',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 0, reason: 'Completed' }),
  expect: {
    cause: 'app-completes-under-restart-always',
    place: 'container migrate of Deployment lab-completes/migrate',
    confidence: 'certain',
    victims: 1,
  },
  never: ['oom-container-limit', 'liveness-probe-kills-slow-app', 'app-exits-nonzero-at-start'],
});
