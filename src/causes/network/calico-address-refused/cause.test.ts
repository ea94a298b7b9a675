import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Name:         ledger-0
Namespace:    shop
Node:         plover-1/10.4.0.11
Annotations:  <none>
Status:       Pending
Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = ${message}
`;
const failed = (error: string) =>
  events(`failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="calico" failed (add): error getting IP from IPAM: ${error}`);

const alone =
  '报错信息: Failed to create pod sandbox: rpc error: code = Unknown desc = failed to set up sandbox container "9b2d" network for pod "ledger-0": networkPlugin cni failed to set up pod "ledger-0_shop" network: error getting IP from IPAM: Address already assigned in block\n';

testCause(cause, {
  finds: {
    'somebody has the address': {
      evidence: { 'describe.txt': failed('Address already assigned in block') },
      confidence: 'certain',
      place: 'StatefulSet shop/ledger',
      cites: ['describe.txt:10'],
    },
    'the address stands in the message': {
      evidence: { 'describe.txt': failed('resource already exists: 10.244.3.9') },
      confidence: 'certain',
    },
    'the message alone': {
      evidence: { 'paste.txt': alone },
      confidence: 'certain',
    },
    'no pool holds it': {
      evidence: {
        'describe.txt': failed('The provided IP address is not in a configured pool'),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'there is no address at all': {
      evidence: {
        'describe.txt': `${failed('Address already assigned in block')}${failed('Assigned 0 out of 1 requested IPv4 addresses; No IPs available in pools: [10.244.0.0/16]').slice(-250)}`,
      },
      by: 'full',
    },
  },
  asks: { 'the events of the pod': { evidence: { 'paste.txt': alone }, for: 'pod-events' } },
});
