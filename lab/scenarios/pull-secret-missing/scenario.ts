import { defineScenario } from '../../src/scenario.ts';
import { allReady, both, eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'pull-secret-missing',
  title: 'A registry wants credentials, and the pull secret does not exist',
  on: 'cluster',
  manifest: true,
  ready: allReady(1),
  breakIt: async (lab, namespace) => {
    await lab.kubectl(['scale', 'deployment/payments', '-n', namespace, '--replicas=1']);
  },
  until: both(
    eventSays('FailedToRetrieveImagePullSecret', /registry-login/, 90),
    eventSays('Failed', /localhost:5076.*(?:401|authorization|unauthorized)/i, 90),
  ),
  expect: { cause: 'image-pull-unauthorized', place: 'Deployment lab-pull-secret-missing/payments', confidence: 'certain', victims: 1 },
  never: ['image-not-found', 'image-registry-unreachable'],
});
