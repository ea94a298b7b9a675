import { defineScenario } from '../../src/scenario.ts';
import { allReady, eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'image-not-found',
  title: 'A registry does not have the tag',
  on: 'cluster',
  manifest: true,
  ready: allReady(1),
  breakIt: async (lab, namespace) => {
    await lab.kubectl(['scale', 'deployment/shop', '-n', namespace, '--replicas=1']);
  },
  until: eventSays('Failed', /localhost:5075\/shop\/web:2.0.1: not found/, 90),
  expect: { cause: 'image-not-found', place: 'Deployment lab-image-not-found/shop', confidence: 'certain', victims: 1 },
  never: ['image-pull-unauthorized', 'image-registry-unreachable'],
});
