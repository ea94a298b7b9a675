import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe = (message: string) => `Name:             ledger-0
Namespace:        shop
Node:             plover-2/10.4.0.12
Status:           Pending
Controlled By:    StatefulSet/ledger
Containers:
  ledger:
    Image:         registry.example/ledger:3
    State:          Waiting
      Reason:       ContainerCreating
    Ready:          False
    Restart Count:  0
QoS Class:         BestEffort
Events:
  Type     Reason       Age                  From               Message
  ----     ------       ----                 ----               -------
  Normal   Scheduled    9m10s                default-scheduler  Successfully assigned shop/ledger-0 to plover-2
  Warning  FailedMount  58s (x12 over 9m9s)  kubelet            MountVolume.SetUp failed for volume "pvc-1b2c" : ${message}
`;
const denied =
  'applyFSGroup failed for vol 10.4.0.9#srv/shop#pvc-1b2c##: open /var/lib/kubelet/pods/0f6e/volumes/kubernetes.io~csi/pvc-1b2c/mount/raft: permission denied';

testCause(cause, {
  finds: {
    'a folder of mode 0700 on NFS': {
      evidence: { 'describe.txt': describe(denied) },
      confidence: 'certain',
      place: 'StatefulSet shop/ledger',
      cites: ['describe.txt:18'],
      victims: 1,
    },
    'root_squash, in the journal': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 plover-2 kubelet[1204]: E0304 08:10:57.331207    1204 nestedpendingoperations.go:348] Operation for "{volumeName:kubernetes.io/csi/nfs.csi.k8s.io^pvc-1b2c podName: nodeName:}" failed. Error: MountVolume.SetUp failed for volume "pvc-1b2c" (UniqueName: "kubernetes.io/csi/nfs.csi.k8s.io^pvc-1b2c") pod "ledger-0" (UID: "0f6e") : applyFSGroup failed for vol pvc-1b2c: lchown /var/lib/kubelet/pods/0f6e/volumes/kubernetes.io~csi/pvc-1b2c/mount: operation not permitted\n',
      },
      confidence: 'probable',
    },
    'the driver sets the mode': {
      evidence: {
        'describe.txt': describe(
          'rpc error: code = Internal desc = chmod /var/lib/kubelet/pods/0f6e/volumes/kubernetes.io~csi/pvc-1b2c/mount: operation not permitted',
        ),
      },
      confidence: 'certain',
    },
    'with its claim': {
      evidence: {
        'describe.txt': describe(denied),
        'pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-0\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: ledger-data\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'started since': {
      evidence: {
        'describe.txt': `${describe(denied)}  Normal   Started      8s  kubelet  Started container ledger\n`,
      },
      by: 'started',
    },
  },
  asks: {
    'the description of the pod': {
      evidence: {
        'events.txt': `$ kubectl -n shop get events\nLAST SEEN   TYPE      REASON        OBJECT         MESSAGE\n58s         Warning   FailedMount   pod/ledger-0   MountVolume.SetUp failed for volume "pvc-1b2c" : ${denied}\n`,
      },
      for: 'pod-spec',
    },
  },
});
