import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const error = (path: string) =>
  `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error mounting "/var/lib/kubelet/pods/4cb5/volumes/kubernetes.io~csi/pvc-2f64/mount" to rootfs at "${path}": change mount propagation through procfd: open o_path procfd: open /run/containerd/io.containerd.runtime.v2.task/k8s.io/ledger/rootfs${path}: no such file or directory`;
const pods = (status: string) => `$ kubectl -n shop get pods
NAME       READY   STATUS             RESTARTS      AGE
ledger-0   ${status}   4m
`;
const events = (path: string) => `$ kubectl -n shop get events
LAST SEEN   TYPE      REASON   OBJECT         MESSAGE
58s         Warning   Failed   pod/ledger-0   Error: ${error(path)}
`;
const CRASHING = '0/1     CrashLoopBackOff   5 (61s ago)';

testCause(cause, {
  finds: {
    'a database image that moved its folder': {
      evidence: { 'pods.txt': pods(CRASHING), 'events.txt': events('/var/lib/postgresql/data') },
      confidence: 'certain',
      cites: ['events.txt:3'],
    },
    'another image': {
      evidence: { 'pods.txt': pods(CRASHING), 'events.txt': events('/srv/ledger/current') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the program complains itself': {
      evidence: {
        'pods.txt': pods(CRASHING),
        'events.txt': events('/var/lib/postgresql/data'),
        'ledger.log': '$ kubectl -n shop logs ledger-0\nError: in 18+, these Docker images are configured to store database data in a\n',
      },
      by: 'postgres',
    },
    'it runs by now': {
      evidence: { 'pods.txt': pods('1/1     Running            0            '), 'events.txt': events('/srv/ledger/current') },
      by: 'well',
    },
  },
  asks: {
    'the state of the pod': { evidence: { 'events.txt': events('/srv/ledger/current') }, for: 'pod.status' },
  },
});
