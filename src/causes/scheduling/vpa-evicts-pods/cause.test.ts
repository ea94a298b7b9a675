import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (more = '') => ({
  'describe.txt': `Name:             tally-6c9f8d7b5-4kq2z
Namespace:        orchard
Status:           Terminating (lasts 2m)
Controlled By:    ReplicaSet/tally-6c9f8d7b5
Events:
  Type    Reason        Age   From         Message
  ----    ------        ----  ----         -------
  Normal  EvictedByVPA  2m    vpa-updater  Pod was evicted by VPA Updater to apply resource recommendation.
  Normal  Killing       2m    kubelet      Stopping container tally
${more}`,
});

testCause(cause, {
  finds: {
    'an event of the pod': { evidence: events(), confidence: 'certain' },
    'a single row': {
      evidence: {
        'paste.txt': 'Normal  EvictedByVPA  12s  vpa-updater  Pod was evicted by VPA Updater to apply resource recommendation.\n',
      },
      confidence: 'certain',
    },
    'a replica it leaves alone': {
      evidence: {
        'updater.log':
          '$ kubectl -n kube-system logs vpa-updater-5d8c7b6f9-x2k4m\nI0304 08:10:57.118204       1 pods_eviction_restriction.go:226] Too few replicas for ReplicaSet orchard/tally-6c9f8d7b5. Found 1 live pods, needs 2 (global 2)\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it only recommends': {
      evidence: { ...events(), 'vpa.yaml.txt': 'Spec:\n  Update Policy:\n    Update Mode:  Off\n' },
      by: 'off',
    },
  },
  asks: {
    'what the updater does': {
      evidence: {
        'note.txt': 'I0304 08:10:57.118204       1 x.go:226] Too few replicas for ReplicaSet orchard/tally. Found 1 live pods\n',
      },
      for: 'pod-events',
    },
  },
});
