import { defineScenario } from '../../src/scenario.ts';
import { waits } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'configmap-missing',
  title: 'A pod takes its environment from a ConfigMap that does not exist',
  on: 'cluster',
  manifest: true,
  until: waits('CreateContainerConfigError'),
  expect: { cause: 'configmap-missing', place: 'Deployment lab-configmap-missing/pricing', confidence: 'certain', victims: 1 },
  never: ['configmap-key-missing', 'secret-missing'],
});
