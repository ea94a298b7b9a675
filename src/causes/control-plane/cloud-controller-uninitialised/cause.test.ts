import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const node = `Name:               birch
Roles:              <none>
Taints:             node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule
Unschedulable:      false
`;
const events = `$ kubectl describe pod web-6c8d7b9f5d-t5w2x -n shop
Events:
  Type     Reason            Age   From               Message
  ----     ------            ----  ----               -------
  Warning  FailedScheduling  29s   default-scheduler  0/2 nodes are available: 2 node(s) had untolerated taint {node.cloudprovider.kubernetes.io/uninitialized: true}.
`;
const ccm =
  "$ kubectl -n kube-system logs cloud-controller-manager-x7k2p\nE0304 08:10:57.118402       1 node_controller.go:229] error syncing 'birch': failed to get provider ID for node birch at cloudprovider: failed to get instance ID from cloud provider: instance not found, requeuing\n";

testCause(cause, {
  finds: {
    'the cloud does not know the node': {
      evidence: { 'ccm.log': ccm, 'node.txt': node },
      confidence: 'certain',
      place: 'the cluster',
      cites: ['ccm.log:2', 'node.txt:3'],
    },
    'the taint, and a pod that waits': { evidence: { 'node.txt': node, 'events.txt': events }, confidence: 'probable' },
    'no credentials': {
      evidence: {
        'ccm.log':
          '$ kubectl -n kube-system logs cloud-controller-manager-x7k2p\nF0304 08:10:57.118402       1 main.go:84] Cloud provider could not be initialized: could not init cloud provider "openstack": Authentication failed\n',
      },
      confidence: 'certain',
    },
    'only the refusal': { evidence: { 'events.txt': events }, confidence: 'probable' },
  },
  rulesOut: {
    'done since': {
      evidence: {
        'ccm.log': `${ccm}I0304 08:12:57.118402       1 node_controller.go:437] Successfully initialized node birch with cloud provider\n`,
      },
      by: 'initialised',
    },
  },
  asks: { 'the log of the cloud controller': { evidence: { 'node.txt': node }, for: 'container-log' } },
});
