import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describeNode = `Name:               heron-2
Roles:              <none>
Taints:             node.kubernetes.io/not-ready:NoSchedule
Unschedulable:      false
Conditions:
  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason                       Message
  ----             ------  -----------------                 ------------------                ------                       -------
  MemoryPressure   False   Tue, 04 Mar 2025 08:11:02 +0000   Tue, 04 Mar 2025 07:58:40 +0000   KubeletHasSufficientMemory   kubelet has sufficient memory available
  Ready            False   Tue, 04 Mar 2025 08:11:02 +0000   Tue, 04 Mar 2025 07:58:40 +0000   KubeletNotReady              container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized
System Info:
  Kernel Version:             6.1.0-18-amd64
  Container Runtime Version:  containerd://1.7.24
  Kubelet Version:            v1.31.4
`;
const nodes = (status: string) => `NAME      STATUS     ROLES           AGE   VERSION
heron-2   ${status.padEnd(8)}   control-plane   14m   v1.31.4
`;
const pods = `NAMESPACE     NAME                       READY   STATUS              RESTARTS   AGE   IP       NODE
kube-system   coredns-7c65d6cfc9-4k2bp   0/1     ContainerCreating   0          12m   <none>   heron-2
kube-system   coredns-7c65d6cfc9-m9x7v   0/1     ContainerCreating   0          12m   <none>   heron-2
`;
const kubelet = `Mar 04 08:10:57 heron-2 kubelet[1204]: E0304 08:10:57.331207    1204 kubelet.go:2902] "Container runtime network not ready" networkReady="NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized"
`;

testCause(cause, {
  finds: {
    'describe node, containerd': {
      evidence: { 'node.txt': describeNode, 'pods.txt': pods },
      confidence: 'certain',
      place: 'node heron-2',
      cites: ['node.txt:9', 'node.txt:3'],
      victims: 3,
    },
    'the kubelet journal and a listing': {
      evidence: { 'kubelet.log': kubelet, 'nodes.txt': nodes('NotReady') },
      confidence: 'certain',
      place: 'node heron-2',
      cites: ['kubelet.log:1'],
    },
    'an old Docker node': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 heron-2 kubelet[1204]: E0304 08:10:57.331207    1204 kubelet.go:2183] Container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:docker: network plugin is not ready: cni config uninitialized\n',
        'nodes.txt': nodes('NotReady'),
      },
      confidence: 'certain',
    },
    'CRI-O names the directory': {
      evidence: {
        'node.txt': describeNode.replace(
          'cni plugin not initialized',
          'No CNI configuration file in /etc/cni/net.d/. Has your network provider started?',
        ),
      },
      confidence: 'certain',
      place: 'node heron-2',
    },
    'containerd alone, at its start': {
      evidence: {
        'containerd.log':
          'Mar 04 07:58:31 heron-2 containerd[688]: time="2025-03-04T07:58:31.201884Z" level=error msg="failed to load cni during init, please check CRI plugin status before setting up network for pods" error="cni config load failed: no network config found in /etc/cni/net.d: cni plugin not initialized: failed to load cni config"\n',
      },
      confidence: 'possible',
      place: 'node heron-2',
    },
  },
  rulesOut: {
    'the node is Ready by now': {
      evidence: {
        'kubelet.log': kubelet,
        'node.txt': describeNode
          .replace(/^.*Taints.*\n/m, '')
          .replace(
            / {2}Ready {12}False.*/,
            '  Ready            True    Tue, 04 Mar 2025 08:12:02 +0000   Tue, 04 Mar 2025 08:12:00 +0000   KubeletReady                 kubelet is posting ready status',
          ),
      },
      by: 'ready',
    },
    'the listing shows it Ready': { evidence: { 'kubelet.log': kubelet, 'nodes.txt': nodes('Ready') }, by: 'listedReady' },
  },
  asks: { 'the state of the node': { evidence: { 'kubelet.log': kubelet }, for: 'node-status' } },
});
