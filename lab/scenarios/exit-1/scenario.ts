import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'exit-1',
  title: 'A program says what is missing and ends with exit code 1',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 1 }),
  expect: {
    cause: 'app-setting-missing',
    place: 'container invoices of Deployment lab-exit-1/invoices',
    confidence: 'certain',
    victims: 1,
  },
  never: ['oom-container-limit', 'liveness-probe-kills-slow-app'],
});
