import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'exit-139',
  title: 'A native program crashes with a segmentation fault',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 139 }),
  expect: {
    cause: 'app-segfault',
    place: 'container thumbnailer of Deployment lab-exit-139/thumbnailer',
    confidence: 'certain',
    victims: 1,
  },
  never: ['oom-container-limit', 'liveness-probe-kills-slow-app'],
});
