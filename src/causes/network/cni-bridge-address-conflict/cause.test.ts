import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: ${message}
`;
const containerd =
  'rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="flannel" failed (add): failed to delegate add: failed to set bridge addr: "cni0" already has an IP address different from 10.244.3.1/24';

testCause(cause, {
  finds: {
    'containerd and flannel': {
      evidence: { 'describe.txt': events(containerd) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'dockershim, and the bridge itself': {
      evidence: {
        'describe.txt': events(
          '[failed to set up sandbox container "0d1f" network for pod "cart-5d9c7b6f8-q2w4z": networkPlugin cni failed to set up pod "cart-5d9c7b6f8-q2w4z_shop" network: failed to set bridge addr: "cni0" already has an IP address different from 10.244.3.1/24]',
        ),
        'host.txt': '[root@plover-1 ~]# ip -4 addr show cni0\n    inet 10.244.1.1/24 brd 10.244.1.255 scope global cni0\n',
      },
      confidence: 'certain',
      cites: ['host.txt:2'],
    },
  },
  rulesOut: {
    'the addresses have run out': {
      evidence: {
        'describe.txt': `${events(containerd)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d1f": plugin type="flannel" failed (add): failed to delegate add: failed to allocate for range 0: no IP addresses available in range set: 10.244.3.1-10.244.3.254\n`,
      },
      by: 'moved',
    },
  },
  asks: {
    'the events, after the bridge alone': {
      evidence: { 'host.txt': '[root@plover-1 ~]# ip -4 addr show cni0\n    inet 10.244.1.1/24 brd 10.244.1.255 scope global cni0\n' },
      for: 'pod-events',
    },
  },
});
