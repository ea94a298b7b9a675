import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = ${message}
`;
const multus =
  'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="multus-shim" name="multus-cni-network" failed (add): CmdAdd (shim): CheckAPIReadyNow: Daemon not reachable over socketfile: failed to send CNI request: Post "http://dummy/healthz": dial unix /run/multus/socket/multus.sock: connect: no such file or directory';

testCause(cause, {
  finds: {
    'the database of Open vSwitch': {
      evidence: {
        'describe.txt': events(
          `failed to setup network for sandbox "0d1f": plugin type="kube-ovn" failed (add): RPC failed; request ip return 500 configure nic failed failed to run 'ovs-vsctl --timeout=30 add-port br-int 8b0c_h': exit status 1 ovs-vsctl: unix:/var/run/openvswitch/db.sock: database connection failed (Protocol error)`,
        ),
      },
      confidence: 'certain',
    },
    'istio-cni without a ztunnel': {
      evidence: {
        'describe.txt': events(
          'failed to setup network for sandbox "0d1f": plugin type="istio-cni" name="istio-cni" failed (add): unable to push CNI event, error was 500',
        ),
      },
      confidence: 'certain',
    },
    'multus, and its pod': {
      evidence: {
        'describe.txt': events(multus),
        'pods.txt': `NAMESPACE     NAME                   READY   STATUS              RESTARTS      AGE   IP          NODE
shop          cart-5d9c7b6f8-q2w4z   0/1     ContainerCreating   0             3m    <none>      plover-1
kube-system   kube-multus-ds-x7k2p   0/1     CrashLoopBackOff    8 (20s ago)   21m   10.4.0.11   plover-1
`,
      },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5', 'pods.txt:3'],
      victims: 1,
    },
    'the daemon of AWS': {
      evidence: {
        'describe.txt': events(
          'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="aws-cni" name="aws-cni" failed (add): add cmd: Error received from AddNetwork gRPC call: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing dial tcp 127.0.0.1:50051: connect: connection refused"',
        ),
      },
      confidence: 'certain',
      victims: 1,
    },
    'OVN, from CRI-O': {
      evidence: {
        'crio.log':
          'Mar 04 08:10:57 plover-1 crio[988]: time="2025-03-04 08:10:57.201884" level=error msg="Error adding pod to CNI network: plugin type=\\"ovn-k8s-cni-overlay\\" failed (add): failed to send CNI request: Post \\"http://dummy/\\": dial unix /var/run/ovn-kubernetes/cni//ovn-cni-server.sock: connect: connection refused"\n',
      },
      confidence: 'certain',
      place: 'node plover-1',
    },
    'the plugin says it in words': {
      evidence: {
        'describe.txt': events('failed to setup network for sandbox "0d1f": plugin type="aws-cni" failed (add): Unable to reach ipamd'),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    cilium: {
      evidence: {
        'describe.txt': `${events(multus)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d1f": plugin type="cilium-cni" failed (add): unable to connect to Cilium agent: failed to create cilium agent client after 30.000000 seconds timeout\n`,
      },
      by: 'cilium',
    },
  },
  asks: {
    'the state of the daemon': {
      evidence: { 'note.txt': 'dial unix /run/multus/socket/multus.sock: connect: no such file or directory\n' },
      for: 'pod-events',
    },
  },
});
