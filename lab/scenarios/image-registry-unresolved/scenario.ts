import { defineScenario } from '../../src/scenario.ts';
import { waits } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'image-registry-unresolved',
  title: 'The registry of an image has no address',
  on: 'cluster',
  manifest: true,
  until: waits('ImagePullBackOff', 90),
  expect: { cause: 'image-registry-dns-failure', place: 'node worker-b', confidence: 'certain', victims: { atLeast: 1 } },
  never: ['image-not-found', 'image-pull-unauthorized'],
});
