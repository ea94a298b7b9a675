import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (message: string, reason = 'FailedCreatePodSandBox') => `$ kubectl -n shop describe pod till-0
Name:             till-0
Namespace:        shop
Node:             win-3/10.7.0.19
Status:           Pending
Events:
  Type     Reason                  Age                From     Message
  ----     ------                  ----               ----     -------
  Warning  ${reason}  8s (x4 over 55s)   kubelet  ${message}
`;
const old = described(
  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to start sandbox container for pod "till-0": Error response from daemon: CreateComputeSystem 4f3b2a1c: The container operating system does not match the host operating system.',
);
const containerd = described(
  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem till: The container operating system does not match the host operating system.: unknown',
);

testCause(cause, {
  finds: {
    'kube-proxy finds no network': {
      evidence: {
        'kube-proxy.log':
          'E0304 08:10:57.118402    2041 proxier.go:720] "Unable to find HNS Network specified, please check network name and CNI deployment" hnsNetworkName="cbr0"\n',
      },
      confidence: 'certain',
    },
    'Docker, another Windows': { evidence: { 'pod.txt': old }, confidence: 'certain', place: 'node win-3', cites: ['pod.txt:9'] },
    'containerd, another Windows': {
      evidence: {
        'pod.txt': containerd,
        'nodes.txt':
          '$ kubectl get nodes -o wide\nNAME    STATUS   ROLES    AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE                         KERNEL-VERSION    CONTAINER-RUNTIME\nwin-3   Ready    <none>   90d   v1.29.4   10.7.0.19     <none>        Windows Server 2019 Datacenter   10.0.17763.5329   containerd://1.7.15\n',
      },
      confidence: 'certain',
      place: 'node win-3',
    },
    'versions by number': {
      evidence: {
        'pod.txt': described(
          'Failed to pull image "till:2": a Windows version 10.0.20348-based image is incompatible with a 10.0.17763 host',
          'Failed',
        ),
      },
      confidence: 'certain',
    },
    'the network service': {
      evidence: {
        'pod.txt': described(
          'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox: plugin type="win-overlay" failed (add): error while adding HostComputeEndpoint: hcnCreateEndpoint failed in Win32: The object already exists. (0x1392)',
        ),
      },
      confidence: 'certain',
    },
    'a program without its library': {
      evidence: {
        'log.txt': '$ kubectl -n shop logs till-0\nC:\\app\\till.exe ended with status 3221225781\n',
        'pod.txt': described(
          'Failed to pull image "till:2": no matching manifest for windows/amd64 10.0.17763 in the manifest list entries',
          'Failed',
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a remark of the kubelet': {
      evidence: {
        'kubelet.log':
          'E0304 08:10:57.118402    4216 server.go:749] kubelet needs to run as uid `0`. It is being run as -1\nE0304 08:10:58.118402    4216 x.go:1] hcs::System::Wait till: The pipe has been ended.\n',
      },
      by: 'kubeletRoot',
    },
  },
  asks: { 'the system of the node': { evidence: { 'pod.txt': old }, for: 'node.info' } },
});
