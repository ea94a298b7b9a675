import { defineScenario } from '../../src/scenario.ts';
import { waits } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'secret-key-missing',
  title: 'A Secret lacks the key a container refers to',
  on: 'cluster',
  manifest: true,
  until: waits('CreateContainerConfigError'),
  expect: { cause: 'secret-key-missing', place: 'Deployment lab-secret-key-missing/mailer', confidence: 'certain', victims: 1 },
  never: ['secret-missing'],
});
