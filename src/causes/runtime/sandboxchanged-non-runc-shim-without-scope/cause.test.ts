import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe = (className = 'kata-qemu') => `Name:                build-5f6d7c8b9d-2kx7p
Namespace:           ci
Runtime Class Name:  ${className}
Node:                ash-2/10.5.0.2
Start Time:          Wed, 10 Apr 2024 09:00:00 +0000
Status:              Running
Controlled By:       ReplicaSet/build-5f6d7c8b9d
Containers:
  build:
    Container ID:   containerd://1f2e3d4c5b6a79880918273645546372819000ffeeddccbbaa99887766554433
    Image:          example.org/ci/build:4
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    143
    Ready:          False
    Restart Count:  5
QoS Class:       Burstable
Events:
  Type     Reason          Age               From     Message
  ----     ------          ----              ----     -------
  Normal   Killing         31s (x3 over 9m)  kubelet  Stopping container build
  Normal   SandboxChanged  30s (x4 over 9m)  kubelet  Pod sandbox changed, it will be killed and re-created.
  Warning  BackOff         5s (x12 over 8m)  kubelet  Back-off restarting failed container build in pod build-5f6d7c8b9d-2kx7p_ci(4b5c6d7e-8f90-4a1b-9c2d-3e4f50617283)
`;
const config = (runc: boolean) => `version = 2
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
    SystemdCgroup = ${runc}
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.kata-qemu]
  runtime_type = "io.containerd.kata.v2"
`;

testCause(cause, {
  finds: {
    'Kata pods are stopped, runc is set right': {
      evidence: { 'describe.txt': describe(), 'config.toml': config(true) },
      confidence: 'probable',
      place: 'Deployment ci/build',
      cites: ['config.toml:7', 'describe.txt:3'],
      victims: 1,
    },
    'only the class and the silent stops': {
      evidence: { 'describe.txt': describe('gvisor') },
      confidence: 'possible',
      place: 'Deployment ci/build',
    },
  },
  rulesOut: {
    'the drivers disagree for runc too': { evidence: { 'describe.txt': describe(), 'config.toml': config(false) }, by: 'runcWrong' },
    'a class that is runc all the same': { evidence: { 'describe.txt': describe('nvidia') }, by: 'runtimeClass' },
    'a pod without any class': { evidence: { 'describe.txt': describe().replace(/Runtime Class Name.*\n/, '') }, by: 'runtimeClass' },
  },
  asks: { 'the configuration of containerd': { evidence: { 'describe.txt': describe() }, for: 'containerd-config' } },
});
