import { defineScenario } from '../../src/scenario.ts';
import { restarted } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'wrong-architecture',
  title: 'An image holds a program for another CPU',
  on: 'cluster',
  manifest: true,
  until: restarted(2),
  expect: {
    cause: 'app-exec-format-error',
    place: 'container sensor of Deployment lab-wrong-architecture/sensor',
    confidence: 'certain',
    victims: 1,
  },
  never: ['app-command-not-found'],
});
