import { defineScenario } from '../../src/scenario.ts';
import { both, eventSays } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'storage-class-missing',
  title: 'A claim names a StorageClass that does not exist',
  on: 'cluster',
  scheduling: true,
  manifest: true,
  until: both(
    eventSays('ProvisioningFailed', /storageclass.storage.k8s.io "fast-ssd" not found/),
    eventSays('FailedScheduling', /unbound immediate PersistentVolumeClaims/),
  ),
  expect: { cause: 'pvc-no-storageclass-or-default', place: 'namespace lab-storage-class-missing', confidence: 'certain', victims: 2 },
  never: ['sched-pvc-missing'],
  evidence: {
    kubectl: [
      ['describe', 'pvc'],
      ['get', 'storageclass'],
    ],
  },
});
