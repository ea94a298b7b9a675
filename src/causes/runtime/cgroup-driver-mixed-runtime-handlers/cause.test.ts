import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe = `Name:                train-job-runner-0
Namespace:           ml
Runtime Class Name:  nvidia
Node:                gpu-7/10.6.0.7
Start Time:          Tue, 05 Mar 2024 10:00:00 +0000
Status:              Running
Controlled By:       StatefulSet/train-job-runner
Containers:
  runner:
    Container ID:   containerd://7d1f0c5b3a294857867564534231201f0e9d8c7b6a5948372615041322abcdef
    Image:          example.org/ml/runner:9
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Completed
      Exit Code:    0
    Ready:          False
    Restart Count:  6
QoS Class:       Burstable
Events:
  Type     Reason          Age                   From               Message
  ----     ------          ----                  ----               -------
  Normal   Scheduled       20m                   default-scheduler  Successfully assigned ml/train-job-runner-0 to gpu-7
  Normal   Killing         40s (x5 over 12m)     kubelet            Stopping container runner
  Normal   SandboxChanged  39s (x6 over 13m)     kubelet            Pod sandbox changed, it will be killed and re-created.
  Warning  BackOff         5s (x20 over 11m)     kubelet            Back-off restarting failed container runner in pod train-job-runner-0_ml(9e0f1a2b-3c4d-4e5f-8a9b-0c1d2e3f4a5b)
`;
const config = (nvidia: string, runc = '    SystemdCgroup = true\n', name = 'runc') => `version = 2
[plugins."io.containerd.grpc.v1.cri".containerd]
  default_runtime_name = "${name}"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
${runc}  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia]
    runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia.options]
    BinaryName = "/usr/bin/nvidia-container-runtime"
${nvidia}`;
const kubelet = (driver: string) => `apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\ncgroupDriver: ${driver}\n`;
const colonPath =
  '0::/system.slice/kubepods-burstable-pod9e0f1a2b_3c4d_4e5f_8a9b_0c1d2e3f4a5b.slice:cri-containerd:7d1f0c5b3a294857867564534231201f0e9d8c7b6a5948372615041322abcdef\n';

testCause(cause, {
  finds: {
    'the handler that differs is the default': {
      evidence: { 'config.toml': config('    SystemdCgroup = false\n', undefined, 'nvidia'), 'kubelet.yaml': kubelet('systemd') },
      confidence: 'possible',
      cites: ['config.toml:3'],
    },
    'a class whose handler has no SystemdCgroup line': {
      evidence: { 'describe.txt': describe, 'config.toml': config(''), 'kubelet.yaml': kubelet('systemd') },
      confidence: 'probable',
      place: 'node gpu-7',
      cites: ['config.toml:7', 'describe.txt:3'],
      victims: 1,
    },
    'its container under a path with colons': {
      evidence: {
        'describe.txt': describe,
        'config.toml': config('    SystemdCgroup = false\n'),
        'kubelet.yaml': kubelet('systemd'),
        'cgroup.txt': colonPath,
      },
      confidence: 'certain',
      place: 'node gpu-7',
      cites: ['cgroup.txt:1'],
    },
  },
  rulesOut: {
    'runc is on cgroupfs like the rest': {
      evidence: { 'describe.txt': describe, 'config.toml': config('    SystemdCgroup = false\n', '    SystemdCgroup = false\n') },
      by: 'runcToo',
    },
    'only runc is on cgroupfs': {
      evidence: { 'describe.txt': describe, 'config.toml': config('    SystemdCgroup = true\n', '    SystemdCgroup = false\n') },
      by: 'runcToo',
    },
    'one lone line of the file': {
      evidence: {
        'describe.txt': describe,
        'grep.txt': '[root@gpu-7 ~]# grep SystemdCgroup /etc/containerd/config.toml\n            SystemdCgroup = false\n',
      },
      by: 'runcToo',
    },
    'the kubelet is on cgroupfs as well': {
      evidence: { 'describe.txt': describe, 'config.toml': config('    SystemdCgroup = false\n'), 'kubelet.yaml': kubelet('cgroupfs') },
      by: 'kubeletCgroupfs',
    },
  },
  asks: {
    'the driver of the kubelet': { evidence: { 'describe.txt': describe, 'config.toml': config('') }, for: 'kubelet.cgroup-driver' },
  },
});
