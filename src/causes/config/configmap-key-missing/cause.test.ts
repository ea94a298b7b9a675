import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe = (message: string) => `Name:             mailer-7f9c6d5b4-q8w2z
Namespace:        notify
Node:             green-1/10.30.0.11
Status:           Pending
Controlled By:    ReplicaSet/mailer-7f9c6d5b4
Containers:
  mailer:
    Image:          registry.example.net/mailer:1.9
    State:          Waiting
      Reason:       CreateContainerConfigError
    Ready:          False
    Restart Count:  0
Events:
  Type     Reason     Age               From               Message
  ----     ------     ----              ----               -------
  Normal   Scheduled  4m                default-scheduler  Successfully assigned notify/mailer-7f9c6d5b4-q8w2z to green-1
  Warning  Failed     9s (x12 over 4m)  kubelet            Error: ${message}
`;

const mount = `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    4m                default-scheduler  Successfully assigned notify/gateway-0 to green-1
  Warning  FailedMount  9s (x12 over 4m)  kubelet            MountVolume.SetUp failed for volume "routes" : configmap references non-existent config key: routes.yaml
`;

const running = `NAMESPACE   NAME                     READY   STATUS    RESTARTS   AGE
notify      mailer-7f9c6d5b4-q8w2z   1/1     Running   0          6m
`;

testCause(cause, {
  finds: {
    'a variable': {
      evidence: { 'describe.txt': describe("couldn't find key SMTP_HOST in ConfigMap notify/mailer-env") },
      confidence: 'certain',
      place: 'Deployment notify/mailer',
      cites: ['describe.txt:17'],
      victims: 1,
    },
    'an item of a volume': {
      evidence: { 'events.txt': mount },
      confidence: 'certain',
      place: 'StatefulSet notify/gateway',
      cites: ['events.txt:5'],
    },
  },
  rulesOut: {
    'the whole ConfigMap is missing': { evidence: { 'describe.txt': describe('configmap "mailer-env" not found') }, by: 'whole' },
    'mended since': {
      evidence: {
        'pods.txt': running,
        'events.txt': describe("couldn't find key SMTP_HOST in ConfigMap notify/mailer-env").slice(describe('').indexOf('Events:')),
      },
      by: 'stuck',
    },
  },
  asks: {
    'a listing alone': {
      evidence: { 'pods.txt': running.replace('1/1     Running ', '0/1     CreateContainerConfigError ') },
      for: 'pod-events',
    },
  },
});
