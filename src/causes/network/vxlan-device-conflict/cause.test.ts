import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE      NAME                    READY   STATUS             RESTARTS      AGE   IP          NODE
kube-flannel   kube-flannel-ds-7xk2p   0/1     CrashLoopBackOff   6 (40s ago)   9m    10.4.0.11   plover-1
`;
const log = (words: string) => `$ kubectl -n kube-flannel logs kube-flannel-ds-7xk2p\n${words}\n`;
const taken =
  'E0304 08:10:57.331207       1 main.go:332] Error registering network: failed to configure interface flannel.1: failed to set interface flannel.1 to UP state: address already in use';

testCause(cause, {
  finds: {
    flannel: {
      evidence: { 'pods.txt': pods, 'flannel.log': log(taken) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['flannel.log:2'],
    },
    calico: {
      evidence: {
        'felix.log':
          '$ kubectl -n kube-system logs calico-node-x7k2p\n2025-03-04 08:10:57.201 [WARNING][61] felix/vxlan_mgr.go 588: Failed to configure vxlan tunnel device, retrying... error=address already in use ifaceName="vxlan.calico"\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a kernel without VXLAN': {
      evidence: { 'flannel.log': log(`${taken}\nRTNETLINK answers: Operation not supported`) },
      by: 'old',
    },
  },
  asks: {
    'the log': {
      evidence: {
        'note.txt': 'Since the reboot it says failed to set interface flannel.1 to UP state: address already in use, on two machines.\n',
      },
      for: 'container-log',
    },
  },
});
