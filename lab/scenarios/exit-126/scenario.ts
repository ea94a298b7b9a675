import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'exit-126',
  title: 'A start script calls a file that is not executable',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 126 }),
  expect: {
    cause: 'app-permission-denied-exec',
    place: 'container exporter of Deployment lab-exit-126/exporter',
    confidence: 'probable',
    victims: 1,
  },
  never: ['oom-container-limit', 'liveness-probe-kills-slow-app'],
});
