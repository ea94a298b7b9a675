import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'exit-137-no-oom',
  title: 'A watchdog in the container kills its worker, without any lack of memory',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 137 }),
  expect: {
    cause: 'app-signalled-by-unknown-sender',
    place: 'container ticker of Deployment lab-exit-137-no-oom/ticker',
    confidence: 'possible',
    victims: 1,
  },
  never: ['oom-container-limit', 'liveness-probe-kills-slow-app', 'oom-node-global'],
});
