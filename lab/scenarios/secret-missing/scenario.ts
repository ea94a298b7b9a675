import { defineScenario } from '../../src/scenario.ts';
import { eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'secret-missing',
  title: 'A pod mounts a Secret that does not exist',
  on: 'cluster',
  manifest: true,
  until: eventSays('FailedMount', /vault-sync-keys/),
  expect: { cause: 'secret-missing', place: 'Deployment lab-secret-missing/vault-sync', confidence: 'certain', victims: 1 },
  never: ['configmap-missing', 'secret-key-missing'],
});
