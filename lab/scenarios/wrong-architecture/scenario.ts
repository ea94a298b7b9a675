import { defineScenario } from '../../src/scenario.ts';
import { somePod } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'wrong-architecture',
  title: 'An image holds a program for another CPU',
  on: 'cluster',
  manifest: true,
  until: somePod('the program cannot be executed', 90, ({ status }) => (status.containerStatuses?.[0]?.restartCount ?? 0) >= 2),
  expect: { cause: 'app-exec-format-error', place: 'container sensor of Deployment lab-wrong-architecture/sensor', confidence: 'certain', victims: 1 },
  never: ['app-command-not-found'],
});
