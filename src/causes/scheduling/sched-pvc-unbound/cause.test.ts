import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describePod(message: string, more = ''): string {
  return `Name:             journal-0
Namespace:        audit
Node:             <none>
Status:           Pending
Controlled By:    StatefulSet/journal
Containers:
  journal:
    Image:      registry.example/journal:1
Volumes:
  data:
    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
    ClaimName:  data-journal-0
    ReadOnly:   false
Events:
  Type     Reason            Age                  From               Message
  ----     ------            ----                 ----               -------
  Warning  FailedScheduling  12s (x6 over 6m2s)   default-scheduler  ${message}
${more}`;
}

const now =
  '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.';

testCause(cause, {
  finds: {
    'a pod that passed the scheduler by': {
      evidence: {
        'events.txt':
          '$ kubectl -n audit get events\nLAST SEEN   TYPE      REASON        OBJECT          MESSAGE\n12s         Warning   FailedMount   pod/journal-0   Unable to attach or mount volumes: unmounted volumes=[pages], unattached volumes=[pages]: error processing PVC audit/pages-journal-0: PVC is not bound\n',
      },
      confidence: 'certain',
    },
    'a volume that does not come in time': {
      evidence: {
        'events.txt':
          '$ kubectl -n audit get events\nLAST SEEN   TYPE      REASON             OBJECT          MESSAGE\n12s         Warning   FailedScheduling   pod/journal-0   running PreBind plugin "VolumeBinding": binding volumes: timed out waiting for the condition\n',
      },
      confidence: 'certain',
    },
    'wording of 1.27': {
      evidence: { 'describe.txt': describePod(now) },
      confidence: 'certain',
      place: 'StatefulSet audit/journal',
      cites: ['describe.txt:17'],
      victims: 1,
    },
    'wording of 1.20': {
      evidence: { 'describe.txt': describePod('0/3 nodes are available: 3 pod has unbound immediate PersistentVolumeClaims.') },
      confidence: 'certain',
    },
    'wording of 1.18': {
      evidence: {
        'describe.txt': describePod(
          'running "VolumeBinding" filter plugin for pod "journal-0": pod has unbound immediate PersistentVolumeClaims',
        ),
      },
      confidence: 'certain',
    },
    'wording of 1.11': {
      evidence: { 'describe.txt': describePod('pod has unbound PersistentVolumeClaims (repeated 3 times)') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'bound a moment later': {
      evidence: {
        'describe.txt': describePod(
          now,
          '  Normal   Scheduled         4s                   default-scheduler  Successfully assigned audit/journal-0 to gamma-2\n',
        ),
      },
      by: 'placed',
    },
    'running and ready now': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON             OBJECT          MESSAGE
50m         Warning   FailedScheduling   pod/journal-0   0/3 nodes are available: 3 pod has unbound immediate PersistentVolumeClaims.
`,
        'pods.txt': `$ kubectl get pods -n audit
NAME        READY   STATUS    RESTARTS   AGE
journal-0   1/1     Running   0          51m
`,
      },
      by: 'pending',
    },
  },
  asks: {
    'the claim': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON             OBJECT          MESSAGE
50s         Warning   FailedScheduling   pod/journal-0   0/3 nodes are available: 3 pod has unbound immediate PersistentVolumeClaims.
`,
      },
      for: 'pod.volume',
    },
  },
});
