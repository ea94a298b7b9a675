import { defineScenario } from '../../src/scenario.ts';
import { waits } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'image-name-invalid',
  title: 'The name of an image has a capital letter',
  on: 'cluster',
  manifest: true,
  until: waits('InvalidImageName'),
  expect: { cause: 'image-name-invalid', place: 'Deployment lab-image-name-invalid/frontend', confidence: 'certain', victims: 1 },
  never: ['image-not-found'],
});
