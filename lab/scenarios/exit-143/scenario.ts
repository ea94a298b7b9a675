import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'exit-143',
  title: 'A start script ends its own server with SIGTERM',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 143 }),
  expect: {
    cause: 'app-signalled-by-unknown-sender',
    place: 'container relay of Deployment lab-exit-143/relay',
    confidence: 'possible',
    victims: 1,
  },
  never: ['oom-container-limit', 'liveness-probe-kills-slow-app'],
});
