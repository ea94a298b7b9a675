import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const preflight = `[root@alder ~]# kubeadm init --pod-network-cidr 10.12.0.0/16
[init] Using Kubernetes version: v1.28.2
[preflight] Running pre-flight checks
error execution phase preflight: [preflight] Some fatal errors occurred:
	[ERROR CRI]: container runtime is not running: output: time="2023-10-03T08:11:52Z" level=fatal msg="validate service connection: CRI v1 runtime API is not implemented for endpoint \\"unix:///var/run/containerd/containerd.sock\\": rpc error: code = Unimplemented desc = unknown service runtime.v1.RuntimeService"
, error: exit status 1
`;
const kubelet = `Oct 03 08:20:01 alder kubelet[3310]: E1003 08:20:01.552011    3310 run.go:74] "command failed" err="failed to run Kubelet: validate service connection: validate CRI v1 runtime API for endpoint \\"unix:///run/containerd/containerd.sock\\": rpc error: code = Unimplemented desc = unknown service runtime.v1.RuntimeService"
Oct 03 08:20:01 alder systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE
`;
const oldKubelet = `Oct 03 08:20:01 alder kubelet[3310]: E1003 08:20:01.552011    3310 remote_runtime.go:86] "Version from runtime service failed" err="rpc error: code = Unimplemented desc = unknown service runtime.v1alpha2.RuntimeService"
`;
const packaged = `[root@alder ~]# cat /etc/containerd/config.toml
#   Copyright 2018-2022 Docker Inc.

disabled_plugins = ["cri"]

#root = "/var/lib/containerd"
`;
const plugins = (status: string) => `[root@alder ~]# ctr plugins ls
TYPE                                  ID                       PLATFORMS      STATUS
io.containerd.content.v1              content                  -              ok
io.containerd.grpc.v1                 cri                      linux/amd64    ${status}
`;

testCause(cause, {
  finds: {
    'kubeadm finds no CRI': { evidence: { 'init.txt': preflight }, confidence: 'possible', cites: ['init.txt:5'] },
    'the kubelet dies, the packaged file is shown': {
      evidence: { 'kubelet.log': kubelet, 'host.txt': packaged },
      confidence: 'probable',
      place: 'node alder',
      cites: ['kubelet.log:1', 'host.txt:4'],
    },
    'an old kubelet asks for v1alpha2, the plugin was skipped': {
      evidence: {
        'kubelet.log': oldKubelet,
        'plugins.txt': plugins('skip'),
        'story.txt': 'We took the containerd from the docker repository.\n',
      },
      confidence: 'probable',
      place: 'node alder',
      cites: ['plugins.txt:4'],
    },
    'only the file': {
      evidence: { 'config.toml': 'version = 2\ndisabled_plugins = ["io.containerd.grpc.v1.cri"]\n' },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'a node with cri-dockerd': {
      evidence: {
        'kubelet.log': kubelet,
        'nodes.txt':
          'NAME    STATUS   ROLES           AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE             KERNEL-VERSION      CONTAINER-RUNTIME\nalder   Ready    control-plane   80d   v1.28.2   10.12.0.4     <none>        Ubuntu 22.04.3 LTS   5.15.0-84-generic   docker://24.0.6\n',
        'host.txt': packaged,
      },
      by: 'byDocker',
    },
    'the plugin fails to load': {
      evidence: {
        'kubelet.log': kubelet,
        'containerd.log': `Oct 03 08:19:40 alder containerd[2904]: time="2023-10-03T08:19:40.118Z" level=warning msg="failed to load plugin io.containerd.grpc.v1.cri" error="invalid plugin config: \`systemd_cgroup\` only works for runtime io.containerd.runtime.v1.linux"
`,
      },
      by: 'pluginFailed',
    },
    'the plugin is in error': { evidence: { 'kubelet.log': kubelet, 'plugins.txt': plugins('error') }, by: 'pluginInError' },
    'a containerd without CRI v1': {
      evidence: {
        'kubelet.log': kubelet,
        'version.txt':
          '[root@alder ~]# containerd --version\ncontainerd github.com/containerd/containerd v1.4.13 9cc61520f4cd876b86e77edfeb88fbcd536d1f9d\n',
      },
      by: 'tooOld',
    },
  },
  asks: { 'the configuration of containerd': { evidence: { 'kubelet.log': kubelet }, for: 'containerd-config' } },
});
