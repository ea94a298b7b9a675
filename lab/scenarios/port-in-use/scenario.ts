import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'port-in-use',
  title: 'Two containers of one pod listen on the same port',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 1 }),
  expect: {
    cause: 'app-port-already-in-use',
    place: 'container metrics of Deployment lab-port-in-use/portal',
    confidence: 'certain',
    victims: 1,
  },
  never: ['oom-container-limit', 'liveness-probe-kills-slow-app', 'sched-host-port-conflict'],
});
