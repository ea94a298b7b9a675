import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'dependency-unreachable',
  title: 'A program ends because its database refuses connections',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 1 }),
  expect: {
    cause: 'app-dependency-unreachable',
    place: 'container accounts of Deployment lab-dependency-unreachable/accounts',
    confidence: 'certain',
    victims: 1,
  },
  never: ['oom-container-limit', 'liveness-probe-kills-slow-app'],
});
