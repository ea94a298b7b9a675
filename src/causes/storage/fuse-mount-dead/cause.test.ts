import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.SetUp failed for volume "data" : ${message}
`;
const dead = events('stat /var/lib/kubelet/pods/0a1b/volumes/kubernetes.io~csi/pvc-1f2e/mount: transport endpoint is not connected');
const pod =
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-0\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: ledger-data\n';

testCause(cause, {
  finds: {
    'a folder that cannot be looked at': {
      evidence: {
        'events.txt':
          '$ kubectl -n shop get events\nLAST SEEN   TYPE      REASON        OBJECT         MESSAGE\n58s         Warning   FailedMount   pod/ledger-0   MountVolume.MountDevice failed for volume "pvc-1b2c" : kubernetes.io/csi: attacher.MountDevice failed to create dir "/var/lib/kubelet/plugins/kubernetes.io/csi/pv/pvc-1b2c/globalmount":  mkdir /var/lib/kubelet/plugins/kubernetes.io/csi/pv/pvc-1b2c/globalmount: file exists\n',
      },
      confidence: 'possible',
    },
    'the kubelet stumbles over it': {
      evidence: { 'describe.txt': dead },
      confidence: 'probable',
      place: 'StatefulSet shop/ledger',
      cites: ['describe.txt:5'],
    },
    'a program does': {
      evidence: { 'ledger.log': "$ kubectl -n shop logs ledger-0\nls: cannot access '/data': Transport endpoint is not connected\n" },
      confidence: 'probable',
    },
    'with its claim': { evidence: { 'describe.txt': dead, 'pod.yaml': pod }, confidence: 'probable' },
  },
  rulesOut: {
    'mounted anew': {
      evidence: {
        'describe.txt': dead,
        'pods.txt': 'NAMESPACE   NAME       READY   STATUS    RESTARTS   AGE\nshop        ledger-0   1/1     Running   0          4m\n',
      },
      by: 'well',
    },
  },
  asks: { 'what the pod mounts': { evidence: { 'describe.txt': dead }, for: 'pod.volume' } },
});
