import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'exit-127',
  title: 'A start script calls a program that the image does not have',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 127 }),
  expect: {
    cause: 'app-command-not-found',
    place: 'container gateway of Deployment lab-exit-127/gateway',
    confidence: 'probable',
    victims: 1,
  },
  never: ['oom-container-limit', 'liveness-probe-kills-slow-app'],
});
