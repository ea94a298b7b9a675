import { defineScenario } from '../../src/scenario.ts';
import { isOlderThan, somePod } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'init-waits',
  title: 'An init container waits for a service that does not exist',
  on: 'cluster',
  manifest: true,
  until: somePod(
    'the init container has run for a minute',
    100,
    (pod) => isOlderThan(pod, 65) && pod.status.initContainerStatuses?.[0]?.state?.['running'] !== undefined,
  ),
  expect: { cause: 'init-container-waits-by-design', place: 'Deployment lab-init-waits/orders', confidence: 'certain', victims: 1 },
  never: ['init-container-failing', 'dockerd-lost-containerd'],
});
