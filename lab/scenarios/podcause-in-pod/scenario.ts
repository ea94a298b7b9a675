import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

/** Any fault would do; this one is known by a log, which the account must be allowed to read. */
export const scenario = defineScenario({
  id: 'podcause-in-pod',
  title: 'podcause runs in a pod and reads the cluster by its service account',
  on: 'cluster',
  manifest: true,
  inPod: true,
  until: crashes({ exitCode: 1 }),
  expect: {
    cause: 'app-dependency-unreachable',
    place: 'container ledger of Deployment lab-podcause-in-pod/ledger',
    confidence: 'certain',
    victims: 1,
  },
});
