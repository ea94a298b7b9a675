import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const told =
  'Mar 04 08:10:57 alder kubelet[901]: E0304 08:10:57.118402     901 kubelet_node_status.go:711] "Failed to set some node status fields" err="failed to validate nodeIP: node IP: \\"192.0.2.11\\" not found in the host\'s network interfaces" node="alder"\n';

testCause(cause, {
  finds: {
    'the node IP is gone': { evidence: { 'journal.txt': told }, confidence: 'certain', place: 'node alder' },
    'k3s and its flannel': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 alder k3s[901]: time="2025-03-04T08:10:57Z" level=fatal msg="flannel exited: failed to find the interface: failed to find interface with specified node ip"\n',
      },
      confidence: 'certain',
    },
    'no gateway': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 alder kubelet[901]: E0304 08:10:57.118402     901 kubelet_node_status.go:92] failed to get node IP: no default routes found in "/proc/net/route" or "/proc/net/ipv6_route"\n',
      },
      confidence: 'certain',
    },
    'a container that finds no route': {
      evidence: {
        'flanneld.log':
          'E0304 08:10:57.118402       1 main.go:330] Failed to find any valid interface to use: failed to get default interface: unable to find default route\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it has registered': {
      evidence: {
        'journal.txt': `${told}Mar 04 08:20:57 alder kubelet[977]: I0304 08:20:57.118402     977 kubelet_node_status.go:76] "Successfully registered node" node="alder"\n`,
      },
      by: 'registered',
    },
  },
  asks: {
    'the kubelet': {
      evidence: { 'flanneld.log': 'E0304 08:10:57.118402       1 main.go:330] unable to find default route\n' },
      for: 'kubelet-log',
    },
  },
});
