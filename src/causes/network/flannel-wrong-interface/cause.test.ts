import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => `$ kubectl -n kube-flannel logs kube-flannel-ds-7xk2p
${words}
`;
const pods = `NAMESPACE      NAME                    READY   STATUS             RESTARTS      AGE   IP          NODE
kube-flannel   kube-flannel-ds-7xk2p   0/1     CrashLoopBackOff   6 (40s ago)   9m    10.4.0.11   plover-1
`;
const noRoute =
  'E0304 08:10:57.331207       1 main.go:230] Failed to find any valid interface to use: failed to get default interface: Unable to find default route';
const natCard = `I0304 08:10:55.104225       1 main.go:531] Using interface with name eth0 and address 10.0.2.15
I0304 08:10:55.104235       1 main.go:548] Defaulting external address to interface address (10.0.2.15)`;

testCause(cause, {
  finds: {
    'no default route': {
      evidence: { 'pods.txt': pods, 'flannel.log': log(noRoute) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['flannel.log:2'],
      victims: 1,
    },
    'the named one is not there': {
      evidence: {
        'flannel.log': log(
          'I0304 08:10:57.331207       1 main.go:470] Could not find valid interface matching eth1: error looking up interface eth1: route ip+net: no such network interface\nE0304 08:10:57.331307       1 main.go:230] Failed to find interface to use that matches the interfaces and/or regexes provided',
        ),
      },
      confidence: 'certain',
    },
    'the NAT card of VirtualBox': {
      evidence: { 'flannel.log': log(natCard) },
      confidence: 'possible',
      cites: ['flannel.log:2'],
    },
  },
  rulesOut: {
    'it ends for another reason': {
      evidence: {
        'pods.txt': pods,
        'flannel.log': log(
          `${natCard}\nE0304 08:10:57.331207       1 main.go:332] Error registering network: failed to acquire lease: node "plover-1" pod cidr not assigned`,
        ),
      },
      by: 'otherFault',
    },
  },
  asks: {
    'what flannel says at its start': {
      evidence: { 'note.txt': 'Using interface with name eth0 and address 10.0.2.15\n' },
      for: 'container-log',
    },
  },
});
