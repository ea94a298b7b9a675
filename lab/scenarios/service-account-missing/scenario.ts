import { defineScenario } from '../../src/scenario.ts';
import { eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'service-account-missing',
  title: 'A Deployment names a ServiceAccount that does not exist',
  on: 'cluster',
  manifest: true,
  until: eventSays('FailedCreate', /serviceaccount "operator" not found/),
  expect: { cause: 'service-account-missing', place: 'Deployment lab-service-account-missing/operator', confidence: 'certain', victims: 1 },
  evidence: {
    kubectl: [
      ['get', 'deployments'],
      ['describe', 'rs'],
    ],
  },
});
