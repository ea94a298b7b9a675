import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const claim = (rows: string, status = 'Pending') => `$ kubectl -n shop describe pvc data-ledger-0
Name:          data-ledger-0
Namespace:     shop
StorageClass:  shelf
Status:        ${status}
Volume:        pv-ledger
Used By:       ledger-0
Events:
  Type     Reason                Age                   From                              Message
  ----     ------                ----                  ----                              -------
${rows}`;
const lost =
  '  Warning  ClaimLost        8s    persistentvolume-controller   Bound claim has lost its PersistentVolume. Data on the volume is lost!\n';
const small =
  '  Warning  VolumeMismatch   8s (x9 over 2m)    persistentvolume-controller   Cannot bind to requested volume "pv-ledger": requested PV is too small\n';

testCause(cause, {
  finds: {
    'a volume that was used before': {
      evidence: {
        'pv.txt':
          'NAME       CAPACITY   ACCESS MODES   RECLAIM POLICY   STATUS     CLAIM               STORAGECLASS   REASON   AGE\npv-shelf   5Gi        RWO            Retain           Released   shop/data-ledger    manual                  2d\nNAME          STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE\ndata-ledger   Pending                                      manual         10m\n',
      },
      confidence: 'possible',
    },
    'the volume is gone': {
      evidence: { 'pvc.txt': claim(lost, 'Lost') },
      confidence: 'certain',
      place: 'namespace shop',
      cites: ['pvc.txt:11'],
    },
    'a listing': {
      evidence: {
        'pvc.txt':
          '$ kubectl -n shop get pvc\nNAME            STATUS   VOLUME      CAPACITY   ACCESS MODES   STORAGECLASS   AGE\ndata-ledger-0   Lost     pv-ledger   0                         shelf          3d\n',
      },
      confidence: 'certain',
    },
    'the volume does not fit': { evidence: { 'pvc.txt': claim(small) }, confidence: 'certain' },
    'the volume remembers another claim': {
      evidence: {
        'pvc.txt': claim(
          '  Warning  FailedBinding  8s (x9 over 2m)  persistentvolume-controller  volume "pv-ledger" already bound to a different claim.\n',
        ),
        'pv.txt':
          '$ kubectl get pv\nNAME        CAPACITY   ACCESS MODES   RECLAIM POLICY   STATUS     CLAIM                STORAGECLASS   REASON   AGE\npv-ledger   5Gi        RWO            Retain           Released   shop/data-ledger-0   shelf                   3d\n',
      },
      confidence: 'certain',
    },
    'the scheduler finds none': {
      evidence: {
        'describe.txt': `Name:         ledger-0
Namespace:    shop
Node:         <none>
Status:       Pending
Events:
  Type     Reason            Age   From               Message
  ----     ------            ----  ----               -------
  Warning  FailedScheduling  5m    default-scheduler  0/3 nodes are available: 3 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s). preemption: 0/3 nodes are available
`,
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the pod waits for memory': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME       READY   STATUS    RESTARTS   AGE   IP       NODE\nshop        ledger-0   0/1     Pending   0          10m   <none>   <none>\n',
        'events.txt': `$ kubectl -n shop get events
LAST SEEN   TYPE      REASON                 OBJECT                                MESSAGE
12s         Warning   VolumeMismatch         persistentvolumeclaim/data-ledger-0   Cannot bind to requested volume "pv-ledger": requested PV is too small
9s          Warning   FailedScheduling       pod/ledger-0                          0/3 nodes are available: 3 Insufficient memory.
`,
      },
      by: 'otherReason',
    },
    'bound since': { evidence: { 'pvc.txt': claim(small, 'Bound') }, by: 'bound' },
  },
  asks: { 'the claim': { evidence: { 'events.txt': `Events:\n${small}` }, for: 'object.status' } },
});
