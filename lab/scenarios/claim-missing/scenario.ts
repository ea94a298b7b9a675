import { defineScenario } from '../../src/scenario.ts';
import { eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'claim-missing',
  title: 'A pod mounts a claim that does not exist',
  on: 'cluster',
  scheduling: true,
  manifest: true,
  until: eventSays('FailedScheduling', /persistentvolumeclaim "album-store" not found/),
  expect: { cause: 'sched-pvc-missing', place: 'Deployment lab-claim-missing/album', confidence: 'certain', victims: 1 },
  never: ['sched-pvc-unbound', 'sched-insufficient-resources'],
});
