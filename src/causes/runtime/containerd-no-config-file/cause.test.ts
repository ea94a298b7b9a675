import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = `Name:         dns-agent-h7x9k
Namespace:    kube-system
Node:         maple-1/10.8.0.1
QoS Class:    Burstable
Events:
  Type     Reason          Age                  From     Message
  ----     ------          ----                 ----     -------
  Normal   Killing         31s (x3 over 3m20s)  kubelet  Stopping container agent
  Normal   SandboxChanged  30s (x4 over 4m12s)  kubelet  Pod sandbox changed, it will be killed and re-created.
  Warning  BackOff         2s (x9 over 3m19s)   kubelet  Back-off restarting failed container agent in pod dns-agent-h7x9k_kube-system(7a8b9c0d-1e2f-4a3b-8c4d-5e6f7a8b9c0d)
`;
const missing = `[root@maple-1 ~]# cat /etc/containerd/config.toml
cat: /etc/containerd/config.toml: No such file or directory
`;
const listed = `[root@maple-1 ~]# ls -l /etc/containerd/config.toml
ls: cannot access '/etc/containerd/config.toml': No such file or directory
`;
const dump = `[root@maple-1 ~]# containerd config dump | grep SystemdCgroup
            SystemdCgroup = false
`;
const kubelet = (driver: string) => `apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\ncgroupDriver: ${driver}\n`;
const colonPath =
  '0::/system.slice/kubepods-burstable-pod7a8b9c0d_1e2f_4a3b_8c4d_5e6f7a8b9c0d.slice:cri-containerd:00ff11ee22dd33cc44bb55aa6699778800ff11ee22dd33cc44bb55aa66997788\n';

testCause(cause, {
  finds: {
    'the file is missing, pods are stopped silently': {
      evidence: { 'describe.txt': events, 'host.txt': missing, 'kubelet.yaml': kubelet('systemd') },
      confidence: 'probable',
      place: 'node maple-1',
      cites: ['host.txt:2', 'kubelet.yaml:3'],
      victims: 1,
    },
    'the dump shows the default': {
      evidence: { 'describe.txt': events, 'host.txt': listed + dump, 'kubelet.yaml': kubelet('systemd') },
      confidence: 'certain',
      place: 'node maple-1',
      cites: ['host.txt:2', 'host.txt:4'],
    },
    'a container under a path with colons': {
      evidence: { 'describe.txt': events, 'host.txt': missing, 'cgroup.txt': colonPath, 'kubelet.yaml': kubelet('systemd') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'kubelet 1.34 with containerd 2 needs no file': {
      evidence: {
        'describe.txt': events,
        'host.txt': missing,
        'nodes.txt': `NAME      STATUS   ROLES    AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE             KERNEL-VERSION     CONTAINER-RUNTIME
maple-1   Ready    <none>   40d   v1.34.1   10.8.0.1      <none>        Ubuntu 24.04.2 LTS   6.8.0-50-generic   containerd://2.1.4
`,
      },
      by: 'followsRuntime',
    },
    'a node whose pods are run by Docker': {
      evidence: {
        'describe.txt': events,
        'host.txt': missing,
        'kubelet.yaml': kubelet('systemd'),
        'nodes.txt': `NAME      STATUS   ROLES    AGE   VERSION    INTERNAL-IP   EXTERNAL-IP   OS-IMAGE                         KERNEL-VERSION   CONTAINER-RUNTIME
maple-1   Ready    <none>   90d   v1.23.17   10.8.0.1      <none>        Debian GNU/Linux 12 (bookworm)   6.1.0-50-amd64   docker://20.10.24
`,
      },
      by: 'byDocker',
    },
    'a kubelet on cgroupfs': {
      evidence: { 'describe.txt': events, 'host.txt': missing, 'kubelet.yaml': kubelet('cgroupfs') },
      by: 'kubeletCgroupfs',
    },
  },
  asks: { 'the driver of the kubelet': { evidence: { 'describe.txt': events, 'host.txt': missing }, for: 'kubelet.cgroup-driver' } },
});
