import { defineScenario } from '../../src/scenario.ts';
import { somePod } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'wrong-command',
  title: 'The command of a container is not in its image',
  on: 'cluster',
  manifest: true,
  until: somePod('the command cannot be started', 90, ({ status }) => (status.containerStatuses?.[0]?.restartCount ?? 0) >= 2),
  expect: { cause: 'app-command-not-found', place: 'container api of Deployment lab-wrong-command/api', confidence: 'certain', victims: 1 },
  never: ['app-exec-format-error', 'app-exits-nonzero-at-start'],
});
