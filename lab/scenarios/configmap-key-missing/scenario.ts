import { defineScenario } from '../../src/scenario.ts';
import { waits } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'configmap-key-missing',
  title: 'A ConfigMap lacks the key a container refers to',
  on: 'cluster',
  manifest: true,
  until: waits('CreateContainerConfigError'),
  expect: { cause: 'configmap-key-missing', place: 'Deployment lab-configmap-key-missing/quotes', confidence: 'certain', victims: 1 },
  never: ['configmap-missing'],
});
