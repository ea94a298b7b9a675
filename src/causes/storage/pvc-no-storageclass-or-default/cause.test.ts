import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describeClaim = (storageClass: string, status: string, rows: string) => `$ kubectl -n shop describe pvc data-ledger-0
Name:          data-ledger-0
Namespace:     shop
StorageClass:  ${storageClass}
Status:        ${status}
Volume:
Labels:        app=ledger
Annotations:   <none>
Finalizers:    [kubernetes.io/pvc-protection]
Capacity:
Access Modes:
VolumeMode:    Filesystem
Used By:       ledger-0
Events:
  Type     Reason              Age                   From                         Message
  ----     ------              ----                  ----                         -------
${rows}`;
const none =
  '  Normal   FailedBinding       4s (x26 over 6m10s)   persistentvolume-controller  no persistent volumes available for this claim and no storage class is set\n';
const missing =
  '  Warning  ProvisioningFailed  9s (x25 over 6m1s)    persistentvolume-controller  storageclass.storage.k8s.io "fast-ssd" not found\n';
const pod = (message: string) => `Name:             ledger-0
Namespace:        shop
Node:             <none>
Status:           Pending
Controlled By:    StatefulSet/ledger
Containers:
  ledger:
    Image:        registry.example/ledger:2
QoS Class:        BestEffort
Events:
  Type     Reason            Age                   From               Message
  ----     ------            ----                  ----               -------
  Warning  FailedScheduling  61s (x2 over 6m12s)   default-scheduler  ${message}
`;
const unbound =
  '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';

testCause(cause, {
  finds: {
    'volumes made by hand, and none fits': {
      evidence: {
        'pvc.txt': `NAME       CAPACITY   ACCESS MODES   RECLAIM POLICY   STATUS      CLAIM   STORAGECLASS   AGE
pv-shelf   10Gi       RWO            Retain           Available           fast-ssd       10m

NAME          STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE
data-ledger   Pending                                      fast-ssd       5m

$ kubectl describe pvc data-ledger
${missing}`,
      },
      confidence: 'certain',
    },
    'no class and no default, claim and pod': {
      evidence: { 'pvc.txt': describeClaim('', 'Pending', none), 'pod.txt': pod(unbound) },
      confidence: 'certain',
      place: 'namespace shop',
      cites: ['pvc.txt:17', 'pod.txt:13'],
    },
    'a class that does not exist, the claim alone': {
      evidence: { 'pvc.txt': describeClaim('fast-ssd', 'Pending', missing) },
      confidence: 'certain',
      place: 'namespace shop',
      cites: ['pvc.txt:17'],
    },
    'the scheduler says it': {
      evidence: {
        'pod.txt': pod('0/3 nodes are available: 3 storageclass.storage.k8s.io "fast-ssd" not found.'),
        'pvc.txt':
          'NAME            STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE\ndata-ledger-0   Pending                                      fast-ssd       6m\n',
      },
      confidence: 'probable',
      place: 'namespace shop',
    },
    'the claim as an object, without a class': {
      evidence: {
        'pvc.yaml': `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data-ledger-0
  namespace: shop
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 8Gi
status:
  phase: Pending
`,
        'pod.txt': pod(unbound),
      },
      confidence: 'certain',
      place: 'namespace shop',
      victims: 2,
    },
  },
  rulesOut: {
    'an early warning, bound since': {
      evidence: {
        'pvc.txt': describeClaim(
          'fast-ssd',
          'Bound',
          `${missing}  Normal   ProvisioningSucceeded  3s  disk.csi.example.com_ctl-0_1f2e  Successfully provisioned volume pvc-1f2e3d4c\n`,
        ),
      },
      by: 'bound',
    },
    'the class came, the pod waits for CPU': {
      evidence: {
        'pod.txt': `${pod('0/3 nodes are available: 3 storageclass.storage.k8s.io "fast-ssd" not found.')}  Warning  FailedScheduling  9s  default-scheduler  0/3 nodes are available: 3 Insufficient cpu.\n`,
      },
      by: 'otherReason',
    },
  },
  asks: {
    'the state of the claim': {
      evidence: { 'pod.txt': pod('0/3 nodes are available: 3 storageclass.storage.k8s.io "fast-ssd" not found.') },
      for: 'objects',
    },
  },
});
