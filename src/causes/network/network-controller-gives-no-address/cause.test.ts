import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = ${message}
`;
const kubeOvn =
  'failed to setup network for sandbox "0d1f": plugin type="kube-ovn" failed (add): RPC failed; request ip return 500 no address allocated to pod shop/cart-5d9c7b6f8-q2w4z provider ovn, please see kube-ovn-controller logs to find errors';

testCause(cause, {
  finds: {
    'kube-ovn, and its controller': {
      evidence: {
        'describe.txt': events(kubeOvn),
        'pods.txt': `NAMESPACE     NAME                                   READY   STATUS             RESTARTS      AGE   IP          NODE
kube-system   kube-ovn-controller-6b9c8d7f54-k3m2n   0/1     CrashLoopBackOff   4 (20s ago)   8m    10.4.0.12   plover-2
`,
      },
      confidence: 'certain',
      cites: ['describe.txt:5', 'pods.txt:2'],
    },
    'OVN without its control plane': {
      evidence: {
        'describe.txt': events(
          'failed to create pod network sandbox: [shop/cart] CNI request failed with status 400: failed to get pod annotation: timed out waiting for annotations: context deadline exceeded',
        ),
      },
      confidence: 'certain',
    },
    terway: {
      evidence: { 'describe.txt': events('failed to setup network for sandbox "0d1f": cmdAdd: error waiting for pod eni: timed out') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the daemon of the node': {
      evidence: {
        'describe.txt': `${events(kubeOvn)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d1f": plugin type="kube-ovn" failed (add): Post "http://dummy/api/v1/add": dial unix /run/openvswitch/kube-ovn-daemon.sock: connect: no such file or directory\n`,
      },
      by: 'socket',
    },
  },
  asks: {
    'the pods of the controller': {
      evidence: { 'note.txt': 'timed out waiting for annotations: context deadline exceeded\n' },
      for: 'pod-events',
    },
  },
});
