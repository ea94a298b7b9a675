import { defineScenario } from '../../src/scenario.ts';
import { waits } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'run-as-nonroot',
  title: 'A pod must not run as root, and its image would',
  on: 'cluster',
  manifest: true,
  until: waits('CreateContainerConfigError'),
  expect: { cause: 'run-as-nonroot-violation', place: 'Deployment lab-run-as-nonroot/audit', confidence: 'certain', victims: 1 },
  never: ['configmap-missing', 'secret-missing'],
});
