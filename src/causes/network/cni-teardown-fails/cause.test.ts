import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE   NAME                   READY   STATUS        RESTARTS   AGE   IP          NODE
shop        cart-5d9c7b6f8-q2w4z   0/1     Terminating   0          41m   10.4.2.11   plover-1
`;
const events = (message: string) => `$ kubectl -n shop describe pod cart-5d9c7b6f8-q2w4z
Events:
  Type     Reason         Age                From     Message
  ----     ------         ----               ----     -------
  Warning  FailedKillPod  8s (x30 over 10m)  kubelet  ${message}
`;
const killed =
  'error killing pod: failed to "KillPodSandbox" for "0b54d0d8-3c1e-4b54-9a52-6f64a1b2f7aa" with KillPodSandboxError: "rpc error: code = Unknown desc = failed to destroy network for sandbox \\"ab12\\": plugin type=\\"weave-net\\" failed (delete): Delete \\"http://127.0.0.1:6784/ip/ab12\\": dial tcp 127.0.0.1:6784: connect: connection refused"';

testCause(cause, {
  finds: {
    'a pod in Terminating': {
      evidence: { 'pods.txt': pods, 'describe.txt': events(killed) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5', 'pods.txt:2'],
      victims: 1,
    },
    'a Docker node': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 plover-1 kubelet[1204]: E0304 08:10:57.331207    1204 kuberuntime_gateway.go:100] StopPodSandbox "ab12" from runtime service failed: rpc error: code = Unknown desc = networkPlugin cni failed to teardown pod "cart-5d9c7b6f8-q2w4z_shop" network: error getting datastore: no such file or directory\n',
      },
      confidence: 'certain',
      place: 'node plover-1',
    },
    'CRI-O': {
      evidence: {
        'crio.log':
          'Mar 04 08:10:57 plover-1 crio[988]: time="2025-03-04 08:10:57.201884" level=error msg="Error stopping pod sandbox: failed to destroy network for pod sandbox k8s_cart-0_shop(ab12): error removing pod shop_cart-0 from CNI network \\"ovn-kubernetes\\": plugin type=\\"ovn-k8s-cni-overlay\\" failed (delete): CNI request failed with status 400: timed out"\n',
      },
      confidence: 'certain',
      place: 'node plover-1',
    },
  },
  rulesOut: {
    'networks cannot be set up either': {
      evidence: {
        'describe.txt': events(
          'Failed create pod sandbox: rpc error: code = Unknown desc = [failed to set up sandbox container "7cf4" network for pod "cart": NetworkPlugin cni failed to set up pod "cart_shop" network: no configuration, failed to clean up sandbox container "7cf4" network for pod "cart": NetworkPlugin cni failed to teardown pod "cart_shop" network: no configuration]',
        ),
      },
      by: 'addFails',
    },
  },
  asks: {
    'the events': {
      evidence: {
        'note.txt': 'failed to destroy network for sandbox "ab12": plugin type="weave-net" failed (delete): connection refused\n',
      },
      for: 'pod-events',
    },
  },
});
