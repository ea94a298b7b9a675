import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const status = (active: string, enabled = 'enabled') => `[root@fir-3 ~]# systemctl status kubelet
○ kubelet.service - kubelet: The Kubernetes Node Agent
     Loaded: loaded (/lib/systemd/system/kubelet.service; ${enabled}; preset: enabled)
     Active: ${active}
       Docs: https://kubernetes.io/docs/
   Main PID: 911 (code=exited, status=0/SUCCESS)

Nov 02 08:01:10 fir-3 systemd[1]: Stopping kubelet.service - kubelet: The Kubernetes Node Agent...
Nov 02 08:01:10 fir-3 systemd[1]: kubelet.service: Deactivated successfully.
Nov 02 08:01:10 fir-3 systemd[1]: Stopped kubelet.service - kubelet: The Kubernetes Node Agent.
`;
const INACTIVE = 'inactive (dead) since Mon 2026-11-02 08:01:10 UTC; 4min 2s ago';
const nodes = (ready: string) => `$ kubectl get nodes
NAME    STATUS     ROLES    AGE   VERSION
fir-3   ${ready.padEnd(10)} <none>   30d   v1.31.4
`;
const describeNode = (ready: string) => `Name:               fir-3
Roles:              <none>
Conditions:
  Type             Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message
  ----             ------    -----------------                 ------------------                ------              -------
  Ready            ${ready.padEnd(9)} Mon, 02 Nov 2026 08:01:01 +0000   Mon, 02 Nov 2026 08:02:00 +0000   ${ready === 'Unknown' ? 'NodeStatusUnknown   Kubelet stopped posting node status.' : 'KubeletReady        kubelet is posting ready status'}
`;

testCause(cause, {
  finds: {
    'stopped, and the node is lost': {
      evidence: { 'status.txt': status(INACTIVE), 'nodes.txt': nodes('NotReady'), 'node.txt': describeNode('Unknown') },
      confidence: 'certain',
      place: 'node fir-3',
      cites: ['status.txt:4', 'nodes.txt:3', 'node.txt:6'],
    },
    'nothing listens on its port either': {
      evidence: {
        'status.txt': status(INACTIVE),
        'node.txt': describeNode('Unknown'),
        'health.txt': `$ kubectl get --raw '/api/v1/nodes/fir-3/proxy/healthz?verbose'
Error from server: error trying to reach service: dial tcp 10.9.0.3:10250: connect: connection refused
`,
      },
      confidence: 'certain',
      cites: ['health.txt:2'],
    },
    'the unit alone, disabled': { evidence: { 'status.txt': status(INACTIVE, 'disabled') }, confidence: 'probable', place: 'node fir-3' },
  },
  rulesOut: {
    'it fails': {
      evidence: { 'status.txt': status('failed (Result: exit-code) since Mon 2026-11-02 08:01:10 UTC; 4min ago') + status(INACTIVE) },
      by: 'failed',
    },
    'the node is Ready': { evidence: { 'status.txt': status(INACTIVE), 'node.txt': describeNode('True') }, by: 'well' },
    'the node is listed as Ready': { evidence: { 'status.txt': status(INACTIVE), 'nodes.txt': nodes('Ready') }, by: 'ready' },
  },
  asks: { 'how the node is': { evidence: { 'status.txt': status(INACTIVE) }, for: 'node-status' } },
});
