import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'init-fails',
  title: 'An init container ends with an error',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 3 }),
  expect: { cause: 'init-container-failing', place: 'Deployment lab-init-fails/billing', confidence: 'probable', victims: 1 },
  never: ['app-exits-nonzero-at-start', 'init-container-waits-by-design'],
});
