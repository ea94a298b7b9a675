import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describePod = (message: string, more = '') => `Name:             album-6d8f9c7b5-zk4vw
Namespace:        photos
Node:             <none>
Status:           Pending
Controlled By:    ReplicaSet/album-6d8f9c7b5
Containers:
  album:
    Image:      registry.example/album:8
Volumes:
  store:
    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
    ClaimName:  album-store
    ReadOnly:   false
Events:
  Type     Reason            Age                From               Message
  ----     ------            ----               ----               -------
  Warning  FailedScheduling  20s (x3 over 6m)   default-scheduler  ${message}
${more}`;

const gone =
  '0/3 nodes are available: persistentvolumeclaim "album-store" not found. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';

testCause(cause, {
  finds: {
    'the claim does not exist': {
      evidence: { 'describe.txt': describePod(gone) },
      confidence: 'certain',
      place: 'Deployment photos/album',
      cites: ['describe.txt:17'],
      victims: 1,
    },
    'an old scheduler says only that': {
      evidence: { 'describe.txt': describePod('persistentvolumeclaim "album-store" not found') },
      confidence: 'certain',
    },
    'being deleted': {
      evidence: { 'describe.txt': describePod('0/3 nodes are available: persistentvolumeclaim "album-store" is being deleted.') },
      confidence: 'certain',
    },
    'the volume behind it is gone': {
      evidence: {
        'describe.txt': describePod(
          '0/3 nodes are available: persistentvolumeclaim "album-store" bound to non-existent persistentvolume "pvc-77".',
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'created a moment later': {
      evidence: {
        'describe.txt': describePod(
          gone,
          '  Normal   Scheduled         4s                 default-scheduler  Successfully assigned photos/album-6d8f9c7b5-zk4vw to red-2\n',
        ),
      },
      by: 'placed',
    },
  },
  asks: {
    'the events of a pod whose status alone is shown': {
      evidence: {
        'pod.json': JSON.stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'album-x', namespace: 'photos' },
          spec: { containers: [{ name: 'album', image: 'registry.example/album:8' }] },
          status: {
            phase: 'Pending',
            conditions: [
              {
                type: 'PodScheduled',
                status: 'False',
                reason: 'Unschedulable',
                message: '0/3 nodes are available: persistentvolumeclaim "album-store" not found.',
              },
            ],
          },
        }),
      },
      for: 'pod-events',
    },
  },
});
