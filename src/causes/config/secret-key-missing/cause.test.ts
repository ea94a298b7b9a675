import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe = (message: string) => `Name:             orders-db-0
Namespace:        orders
Node:             amber-3/10.40.0.13
Status:           Pending
Controlled By:    StatefulSet/orders-db
Containers:
  postgres:
    Image:          registry.example.net/postgres:16
    State:          Waiting
      Reason:       CreateContainerConfigError
    Ready:          False
    Restart Count:  0
Events:
  Type     Reason     Age               From               Message
  ----     ------     ----              ----               -------
  Normal   Scheduled  4m                default-scheduler  Successfully assigned orders/orders-db-0 to amber-3
  Warning  Failed     9s (x12 over 4m)  kubelet            Error: ${message}
`;
const noPassword = describe("couldn't find key postgres-password in Secret orders/orders-db-auth");

const mount = `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    4m                default-scheduler  Successfully assigned orders/edge-0 to amber-3
  Warning  FailedMount  9s (x12 over 4m)  kubelet            MountVolume.SetUp failed for volume "certs" : references non-existent secret key: ca.crt
`;

testCause(cause, {
  finds: {
    'a variable': {
      evidence: { 'describe.txt': noPassword },
      confidence: 'certain',
      place: 'StatefulSet orders/orders-db',
      cites: ['describe.txt:17'],
      victims: 1,
    },
    'an item of a volume': {
      evidence: { 'events.txt': mount },
      confidence: 'certain',
      place: 'StatefulSet orders/edge',
      cites: ['events.txt:5'],
    },
  },
  rulesOut: {
    'the whole Secret is missing': { evidence: { 'describe.txt': describe('secret "orders-db-auth" not found') }, by: 'whole' },
    'mended since': {
      evidence: {
        'describe.txt': noPassword
          .replace('Pending', 'Running')
          .replace(/Waiting\n.*\n.*False/, 'Running\n      Started:      Mon, 02 Nov 2026 08:00:00 +0000\n    Ready:          True'),
      },
      by: 'stuck',
    },
  },
  asks: {
    'a listing alone': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME          READY   STATUS                       RESTARTS   AGE\norders      orders-db-0   0/1     CreateContainerConfigError   0          5m\n',
      },
      for: 'pod-events',
    },
  },
});
