import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'oom-limit',
  title: 'A program takes more memory than its limit',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 137, reason: 'OOMKilled' }),
  expect: {
    cause: 'oom-container-limit',
    place: 'container reports of Deployment lab-oom-limit/reports',
    confidence: 'certain',
    victims: 1,
  },
  never: ['oom-node-global', 'app-signalled-by-unknown-sender'],
});
