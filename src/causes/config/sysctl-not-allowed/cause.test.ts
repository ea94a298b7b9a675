import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (message: string) => `Name:           edge-proxy-6d5f8b9c7-kx2vq
Namespace:      edge
Node:           pine-4/10.9.0.14
Status:         Failed
Reason:         SysctlForbidden
Message:        ${message}
Controlled By:  ReplicaSet/edge-proxy-6d5f8b9c7
Containers:
  proxy:
    Image:      registry.example/edge/proxy:3
Events:
  Type     Reason           Age   From     Message
  ----     ------           ----  ----     -------
  Warning  SysctlForbidden  12s   kubelet  ${message}
`;
const sandbox = (message: string) =>
  `  Warning  FailedCreatePodSandBox  9s (x6 over 80s)  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: failed to create shim task: OCI runtime create failed: ${message}: unknown\n`;

testCause(cause, {
  finds: {
    'the kubelet of a current release': {
      evidence: { 'describe.txt': described('forbidden sysctl: "net.core.somaxconn" not allowlisted') },
      confidence: 'certain',
      place: 'Deployment edge/edge-proxy',
      cites: ['describe.txt:14'],
      victims: 1,
    },
    'an older kubelet, one line': {
      evidence: { 'paste.txt': 'Warning  SysctlForbidden  3m  kubelet  forbidden sysctl: "kernel.msgmax" not whitelisted\n' },
      confidence: 'probable',
    },
    'host network': {
      evidence: { 'describe.txt': described('forbidden sysctl: "net.ipv4.tcp_syncookies" not allowed with host net enabled') },
      confidence: 'certain',
    },
    'a listing': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                         READY   STATUS            RESTARTS   AGE\nedge        edge-proxy-6d5f8b9c7-kx2vq   0/1     SysctlForbidden   0          4m\n',
      },
      confidence: 'certain',
    },
    'runc refuses': {
      evidence: {
        'events.txt': sandbox('runc create failed: sysctl "vm.max_map_count" is not in a separate kernel namespace'),
      },
      confidence: 'probable',
    },
    'the kernel takes no such value': {
      evidence: {
        'events.txt': sandbox(
          'runc create failed: unable to start container process: error during container init: write /proc/sys/net/ipv4/tcp_rmem: invalid argument',
        ),
      },
      confidence: 'possible',
    },
    'the kernel has no such sysctl': {
      evidence: {
        'events.txt': sandbox(
          'runc create failed: unable to start container process: error during container init: open /proc/sys/net/ipv4/tcp_rmem: no such file or directory',
        ),
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'runs by now': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                         READY   STATUS    RESTARTS   AGE\nedge        edge-proxy-6d5f8b9c7-kx2vq   1/1     Running   0          4m\n',
        'kubelet.log': `Nov 02 08:01:12 pine-4 kubelet[911]: E1102 08:01:12.447705     911 pod_workers.go:1301] "Error syncing pod, skipping" err="forbidden sysctl: \\"net.core.somaxconn\\" not allowlisted" pod="edge/edge-proxy-6d5f8b9c7-kx2vq" podUID="0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11"\n`,
      },
      by: 'well',
    },
    'an init script that calls sysctl': {
      evidence: {
        'log.txt': `$ kubectl -n edge logs edge-proxy-6d5f8b9c7-kx2vq -c tune
sysctl: error setting key 'vm.max_map_count': Read-only file system
warning: unsafe sysctl "vm.max_map_count" is not allowed here
`,
      },
      by: 'ownScript',
    },
  },
  asks: {
    'whether the pod is still rejected': {
      evidence: { 'paste.txt': 'Pod forbidden sysctl: "kernel.msgmax" not whitelisted\n' },
      for: 'pod-status',
    },
  },
});
