import { defineScenario } from '../../src/scenario.ts';
import { restarted } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'wrong-command',
  title: 'The command of a container is not in its image',
  on: 'cluster',
  manifest: true,
  until: restarted(2),
  expect: { cause: 'app-command-not-found', place: 'container api of Deployment lab-wrong-command/api', confidence: 'certain', victims: 1 },
  never: ['app-exec-format-error', 'app-exits-nonzero-at-start'],
});
