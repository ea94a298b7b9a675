import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const refusal = (inner: string) => `Name:             cart-7c9d8f6b5d-x2k4m
Namespace:        market
Node:             oak-2/10.4.0.12
Status:           Pending
Controlled By:    ReplicaSet/cart-7c9d8f6b5d
Containers:
  cart:
    Image:          example.org/market/cart:3
    State:          Waiting
      Reason:       ContainerCreating
    Ready:          False
    Restart Count:  0
Events:
  Type     Reason                  Age                From               Message
  ----     ------                  ----               ----               -------
  Normal   Scheduled               90s                default-scheduler  Successfully assigned market/cart-7c9d8f6b5d-x2k4m to oak-2
  Warning  FailedCreatePodSandBox  3s (x8 over 88s)   kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = ${inner}
`;
const containerd17 =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: expected cgroupsPath to be of format "slice:prefix:name" for systemd cgroups, got "/kubepods/besteffort/pod0c9f6b1e-6f0e-4f1c-8b2b-9a1f5c3d7e21/5b1c" instead: unknown';
const containerd14 =
  'failed to create containerd task: OCI runtime create failed: container_linux.go:367: starting container process caused: expected cgroupsPath to be of format "slice:prefix:name" for systemd cgroups, got "/kubepods/burstable/pod0c9f6b1e/5b1c" instead: unknown';
const docker =
  'failed to create a sandbox for pod "cart-7c9d8f6b5d-x2k4m": Error response from daemon: cgroup-parent for systemd cgroup should be a valid slice named as "xxx.slice"';
const kubeletLog = `Mar 04 11:20:31 oak-2 kubelet[1201]: E0304 11:20:31.402117    1201 remote_runtime.go:176] "RunPodSandbox from runtime service failed" err="rpc error: code = Unknown desc = failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: expected cgroupsPath to be of format \\"slice:prefix:name\\" for systemd cgroups, got \\"/kubepods/besteffort/pod0c9f6b1e-6f0e-4f1c-8b2b-9a1f5c3d7e21/5b1c\\" instead: unknown"
`;
const systemdCgroup = `version = 2
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
    SystemdCgroup = true
`;
const kubelet = (driver: string) => `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
${driver}clusterDomain: cluster.local
`;

testCause(cause, {
  finds: {
    'the refusal in the events': {
      evidence: { 'describe.txt': refusal(containerd17) },
      confidence: 'certain',
      place: 'node oak-2',
      cites: ['describe.txt:17'],
      victims: 1,
    },
    'as older containerd and runc word it, with both settings': {
      evidence: {
        'describe.txt': refusal(containerd14),
        'config.toml': systemdCgroup,
        'kubelet.yaml': kubelet('cgroupDriver: cgroupfs\n'),
      },
      confidence: 'certain',
      place: 'node oak-2',
      cites: ['config.toml:5', 'kubelet.yaml:3'],
    },
    'only the journal of the kubelet': {
      evidence: { 'kubelet.log': kubeletLog },
      confidence: 'certain',
      place: 'node oak-2',
      cites: ['kubelet.log:1'],
    },
    'Docker refuses the parent, the driver was never set': {
      evidence: { 'describe.txt': refusal(docker), 'kubelet.yaml': kubelet('') },
      confidence: 'certain',
      place: 'node oak-2',
    },
  },
  rulesOut: {
    'a kubelet that asks containerd 2 for the driver': {
      evidence: {
        'describe.txt': refusal(containerd17),
        'nodes.txt': `NAME    STATUS   ROLES    AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE             KERNEL-VERSION     CONTAINER-RUNTIME
oak-2   Ready    <none>   12d   v1.35.0   10.4.0.12     <none>        Ubuntu 24.04.2 LTS   6.8.0-50-generic   containerd://2.2.0
`,
      },
      by: 'followsRuntime',
    },
  },
  asks: { 'the driver of the kubelet': { evidence: { 'describe.txt': refusal(containerd17) }, for: 'kubelet.cgroup-driver' } },
});
