import { defineScenario } from '../../src/scenario.ts';
import { waits } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'image-never-pull',
  title: 'An image that is not on the node may not be pulled',
  on: 'cluster',
  manifest: true,
  until: waits('ErrImageNeverPull'),
  expect: { cause: 'image-never-pull-absent', place: 'Deployment lab-image-never-pull/worker', confidence: 'certain', victims: 1 },
  never: ['image-not-found'],
});
