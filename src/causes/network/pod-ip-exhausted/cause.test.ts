import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = ${message}
`;
const containerd =
  'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="flannel" failed (add): failed to delegate add: failed to allocate for range 0: no IP addresses available in range set: 10.244.3.1-10.244.3.254';

testCause(cause, {
  finds: {
    'no whole block in the subnet': {
      evidence: {
        'ipamd.log':
          '$ kubectl -n kube-system logs aws-node-x7k2p\n{"level":"debug","ts":"2025-03-04T08:10:57.699Z","caller":"ipamd/ipamd.go:2128","msg":"Prefix target is 1, short of 1 prefixes, free 0 prefixes"}\n{"level":"error","ts":"2025-03-04T08:10:57.887Z","caller":"ipamd/ipamd.go:1003","msg":"Failed to allocate a private IP/Prefix addresses on ENI eni-0ab1: InvalidParameterValue: There aren\'t sufficient free Ipv4 addresses or prefixes"}\n',
      },
      confidence: 'probable',
    },
    'calico has none for its tunnel': {
      evidence: {
        'node.log':
          '$ kubectl -n kube-system logs calico-node-x7k2p\n2025-03-04 08:10:57.120 [ERROR][9] tunnel-ip-allocator/allocateip.go 305: Unable to autoassign an address - pools are likely exhausted. type="ipipTunnelAddress"\n',
      },
      confidence: 'probable',
    },
    'the daemon of AWS says so': {
      evidence: {
        'ipamd.log': '$ kubectl -n kube-system logs aws-node-x7k2p\n2025-03-04T08:10:57Z [INFO] DataStore has no available IP addresses\n',
      },
      confidence: 'probable',
    },
    'host-local': {
      evidence: { 'describe.txt': events(containerd) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    calico: {
      evidence: {
        'describe.txt': events(
          'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="calico" failed (add): failed to request IPv4 addresses: Assigned 0 out of 1 requested IPv4 addresses; No IPs available in pools: [192.168.0.0/24]',
        ),
      },
      confidence: 'certain',
    },
    cilium: {
      evidence: {
        'describe.txt': events(
          'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="cilium-cni" failed (add): unable to allocate IP via local cilium agent: [POST /ipam][502] postIpamFailure range is full',
        ),
      },
      confidence: 'certain',
    },
    'the AWS plugin, and full nodes': {
      evidence: {
        'describe.txt': `${events('failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="aws-cni" name="aws-cni" failed (add): add cmd: failed to assign an IP address to container')}  Warning  FailedScheduling  5m  default-scheduler  0/3 nodes are available: 3 Too many pods.\n`,
      },
      confidence: 'certain',
    },
    whereabouts: {
      evidence: {
        'describe.txt': events(
          'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="macvlan" failed (add): error at storage engine: Could not allocate IP in range: ip: 10.7.0.10 / - 10.7.0.20 / range: net.IPNet{IP:10.7.0.0}',
        ),
      },
      confidence: 'certain',
    },
    'one line in a kubelet journal': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 plover-1 kubelet[1204]: E0304 08:10:57.331207    1204 remote_runtime.go:176] "RunPodSandbox from runtime service failed" err="rpc error: code = Unknown desc = failed to setup network for sandbox \\"0d1f\\": plugin type=\\"bridge\\" failed (add): failed to allocate for range 0: no IP addresses available in range set: 10.85.0.1-10.85.0.254"\n',
      },
      confidence: 'certain',
      place: 'node plover-1',
    },
  },
  rulesOut: {
    'the bridge keeps an old address': {
      evidence: {
        'describe.txt': `${events(containerd)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d1f": plugin type="flannel" failed (add): failed to delegate add: failed to set bridge addr: "cni0" already has an IP address different from 10.244.3.1/24\n`,
      },
      by: 'bridge',
    },
  },
  asks: {
    'the events': {
      evidence: { 'note.txt': 'failed to allocate for range 0: no IP addresses available in range set: 10.244.3.1-10.244.3.254\n' },
      for: 'pod-events',
    },
  },
});
