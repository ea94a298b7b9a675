import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const ROOT =
  'container has runAsNonRoot and image will run as root (pod: "mailer-7f6b9d8c5-q2w8n_post(5a3e1a0e-8c0b-4f3b-9a77-1f5f2c1c9d10)", container: mailer)';
const NAMED =
  'container has runAsNonRoot and image has non-numeric user (mail), cannot verify user is non-root (pod: "mailer-7f6b9d8c5-q2w8n_post(5a3e1a0e-8c0b-4f3b-9a77-1f5f2c1c9d10)", container: mailer)';

const describePod = (
  message: string,
  state = 'Waiting\n      Reason:       CreateContainerConfigError',
) => `Name:             mailer-7f6b9d8c5-q2w8n
Namespace:        post
Node:             green-1/10.30.0.11
Status:           Pending
Controlled By:    ReplicaSet/mailer-7f6b9d8c5
Containers:
  mailer:
    Image:          registry.example.net/mailer:2.0
    State:          ${state}
    Ready:          False
    Restart Count:  0
Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  2m                 default-scheduler  Successfully assigned post/mailer-7f6b9d8c5-q2w8n to green-1
  Warning  Failed     9s (x10 over 2m)   kubelet            Error: ${message}
`;

const object = (waiting: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'relay-0', namespace: 'post' },
    spec: {
      containers: [{ name: 'relay', image: 'registry.example.net/relay:1', securityContext: { runAsNonRoot: true } }],
    },
    status: {
      phase: 'Pending',
      containerStatuses: [
        {
          name: 'relay',
          ready: false,
          restartCount: 0,
          state: { waiting: { reason: 'CreateContainerConfigError', message: waiting } },
        },
      ],
    },
  });

testCause(cause, {
  finds: {
    'an image without a user': {
      evidence: { 'describe.txt': describePod(ROOT) },
      confidence: 'certain',
      place: 'Deployment post/mailer',
      cites: ['describe.txt:17'],
      victims: 1,
    },
    'a user by name': { evidence: { 'describe.txt': describePod(NAMED) }, confidence: 'certain' },
    'runAsUser 0 in an object': {
      evidence: {
        'pod.json': object(
          'container\'s runAsUser breaks non-root policy (pod: "relay-0_post(0e0a7b1c-55b4-44a1-a7a9-2c0b8b6b8a01)", container: relay)',
        ),
      },
      confidence: 'certain',
      place: 'StatefulSet post/relay',
    },
    "the kubelet's journal": {
      evidence: {
        'kubelet.log': `Nov 02 08:01:12 green-1 kubelet[911]: E1102 08:01:12.447705     911 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"mailer\\" with CreateContainerConfigError: \\"container has runAsNonRoot and image will run as root (pod: \\\\\\"mailer-7f6b9d8c5-q2w8n_post(5a3e1a0e-8c0b-4f3b-9a77-1f5f2c1c9d10)\\\\\\", container: mailer)\\"" pod="post/mailer-7f6b9d8c5-q2w8n" podUID="5a3e1a0e-8c0b-4f3b-9a77-1f5f2c1c9d10"\n`,
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'mended since': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                     READY   STATUS    RESTARTS   AGE\npost        mailer-7f6b9d8c5-q2w8n   1/1     Running   0          9m\n',
        'events.txt': `LAST SEEN   TYPE      REASON   OBJECT                       MESSAGE\n8m          Warning   Failed   pod/mailer-7f6b9d8c5-q2w8n   Error: ${ROOT}\n`,
      },
      by: 'well',
    },
  },
  asks: {
    'a listing alone': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                     READY   STATUS                       RESTARTS   AGE\npost        mailer-7f6b9d8c5-q2w8n   0/1     CreateContainerConfigError   0          5m\n',
      },
      for: 'pod-events',
    },
  },
});
