import { podsIn } from '../../src/conditions.ts';
import { defineScenario } from '../../src/scenario.ts';
import { allReady } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'healthy-rolling-update',
  title: 'A rolling update goes well, with pods that are not ready yet and pods that end',
  on: 'cluster',
  manifest: true,
  ready: allReady(3),
  breakIt: async (lab, namespace) => {
    await lab.kubectl(['set', 'env', 'deployment/web', 'RELEASE=2', '-n', namespace]);
  },
  until: {
    what: 'old pods end while new ones come up',
    withinSeconds: 60,
    holds: async (lab, namespace) => {
      const pods = await podsIn(lab, namespace);
      const ending = pods.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
      return pods.length > 3 && ending.length > 0;
    },
  },
  expect: 'healthy',
});
