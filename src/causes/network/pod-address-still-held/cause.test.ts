import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f2e3a4b5c": ${message}
`;
const duplicate =
  'plugin type="bridge" failed (add): failed to allocate for range 0: 10.44.1.5 has been allocated to 7c7c7c, duplicate allocation is not allowed';

testCause(cause, {
  finds: {
    'calico, in older words': {
      evidence: {
        'describe.txt': events('error adding host side routes for interface: cali0ab, error: failed to add route file exists'),
      },
      confidence: 'certain',
    },
    'host-local has it reserved': {
      evidence: { 'describe.txt': events(duplicate) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'calico meets an old route': {
      evidence: {
        'describe.txt': events(
          `plugin type="calico" failed (add): error adding host side routes for interface: cali0ab, error: route (Ifindex: 12, Dst: 10.44.1.5/32, Scope: link) already exists for an interface other than 'cali0ab'`,
        ),
      },
      confidence: 'certain',
    },
    'calico, in newer words': {
      evidence: {
        'describe.txt': events(
          'plugin type="calico" failed (add): error adding host side routes for interface: cali0ab, error: failed to add route (Dst: 10.44.1.5/32, Scope: link, Iface: cali0ab): file exists',
        ),
      },
      confidence: 'certain',
    },
    'cilium knows another endpoint': {
      evidence: {
        'describe.txt': events(
          'plugin type="cilium-cni" failed (add): unable to create endpoint: [PUT /endpoint/{id}][400] putEndpointIdInvalid  IP ipv4:10.44.1.5 is already in use',
        ),
      },
      confidence: 'certain',
    },
    'the interface is there': {
      evidence: { 'describe.txt': events('plugin type="bridge" failed (add): container veth name provided (eth0) already exists') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'no address left at all': {
      evidence: {
        'describe.txt': `${events(duplicate)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d1f": plugin type="bridge" failed (add): failed to allocate for range 0: no IP addresses available in range set: 10.44.1.1-10.44.1.254\n`,
      },
      by: 'full',
    },
  },
  asks: {
    'the events of the pod': {
      evidence: { 'note.txt': 'container veth name provided (eth0) already exists\n' },
      for: 'pod-events',
    },
  },
});
