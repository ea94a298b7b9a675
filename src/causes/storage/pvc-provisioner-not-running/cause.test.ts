import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const claim = (rows: string) => `$ kubectl -n shop describe pvc data-ledger-0
Name:          data-ledger-0
Namespace:     shop
StorageClass:  shelf
Status:        Pending
Volume:
Access Modes:
Used By:       ledger-0
Events:
  Type     Reason                Age                   From                         Message
  ----     ------                ----                  ----                         -------
${rows}`;
const now = `  Normal   ExternalProvisioning  12s (x43 over 10m)    persistentvolume-controller  Waiting for a volume to be created either by the external provisioner 'shelf.example.com/nfs' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.\n`;
const old =
  '  Normal   ExternalProvisioning  12s (x43 over 10m)    persistentvolume-controller  waiting for a volume to be created, either by external provisioner "shelf.example.com/nfs" or manually created by system administrator\n';
const pods = `NAMESPACE   NAME                                READY   STATUS             RESTARTS      AGE   IP          NODE
stores      shelf-nfs-provisioner-6c5d9f-x2vkq  0/1     CrashLoopBackOff   9 (22s ago)   20m   10.4.3.9    plover-1
shop        ledger-0                            0/1     Pending            0             10m   <none>      <none>
`;

testCause(cause, {
  finds: {
    'the provisioner crashes': {
      evidence: { 'pvc.txt': claim(now), 'pods.txt': pods },
      confidence: 'probable',
      place: 'the cluster',
      cites: ['pvc.txt:12', 'pods.txt:2'],
    },
    'the claim alone, for ten minutes': { evidence: { 'pvc.txt': claim(now) }, confidence: 'probable', cites: ['pvc.txt:12', 'pvc.txt:5'] },
    'one event so far': {
      evidence: { 'pvc.txt': claim(now.replace('12s (x43 over 10m) ', '12s                ')) },
      confidence: 'possible',
    },
    'older words': { evidence: { 'pvc.txt': claim(old) }, confidence: 'probable' },
  },
  rulesOut: {
    'it is there, but too old': {
      evidence: {
        'pvc.txt': claim(now),
        'provisioner.log': `E0304 08:10:57.123456       1 controller.go:1004] provision "shop/data-ledger-0" class "shelf": unexpected error getting claim reference: selfLink was empty, can't make reference\n`,
      },
      by: 'answered',
    },
    'the provisioner reports a failure': {
      evidence: {
        'pvc.txt': claim(
          `${now}  Warning  ProvisioningFailed    8s (x9 over 10m)      shelf.example.com/nfs_ctl-0_1f2e  failed to provision volume with StorageClass "shelf": rpc error: code = ResourceExhausted desc = pool is full\n`,
        ),
      },
      by: 'answered',
    },
    'the pod waits for memory': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME       READY   STATUS    RESTARTS   AGE   IP       NODE\nshop        ledger-0   0/1     Pending   0          10m   <none>   <none>\n',
        'events.txt': `$ kubectl -n shop get events
LAST SEEN   TYPE      REASON                 OBJECT                                MESSAGE
12s         Normal    ExternalProvisioning   persistentvolumeclaim/data-ledger-0   Waiting for a volume to be created either by the external provisioner 'shelf.example.com/nfs' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.
9s          Warning   FailedScheduling       pod/ledger-0                          0/3 nodes are available: 3 Insufficient memory.
`,
      },
      by: 'otherReason',
    },
  },
  asks: { 'the events of the pod': { evidence: { 'pvc.txt': claim(now), 'pods.txt': pods }, for: 'pod-events' } },
});
