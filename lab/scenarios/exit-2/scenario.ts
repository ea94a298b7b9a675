import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'exit-2',
  title: 'A start script with a syntax error ends with exit code 2',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 2 }),
  expect: {
    cause: 'app-exits-nonzero-at-start',
    place: 'container nightly of Deployment lab-exit-2/nightly',
    confidence: 'probable',
    victims: 1,
  },
  never: ['oom-container-limit', 'liveness-probe-kills-slow-app'],
});
