import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'process-limit',
  title: 'A program has as many processes as its user may have',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 2 }),
  expect: {
    cause: 'pid-limit-reached',
    place: 'container crawler of Deployment lab-process-limit/crawler',
    confidence: 'certain',
    victims: 1,
  },
  never: ['oom-container-limit', 'liveness-probe-kills-slow-app', 'evicted-pid-pressure'],
});
