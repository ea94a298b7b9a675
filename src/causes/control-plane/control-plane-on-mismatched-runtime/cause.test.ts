import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `$ kubectl get pods -n kube-system -o wide
NAME                           READY   STATUS             RESTARTS        AGE   IP          NODE    NOMINATED NODE   READINESS GATES
etcd-birch                     1/1     Running            41 (3m1s ago)   51m   10.4.0.10   birch   <none>           <none>
kube-apiserver-birch           0/1     CrashLoopBackOff   39 (2m1s ago)   51m   10.4.0.10   birch   <none>           <none>
`;
const events = `$ kubectl -n kube-system describe pod kube-apiserver-birch
Name:                 kube-apiserver-birch
Namespace:            kube-system
Node:                 birch/10.4.0.10
Events:
  Type    Reason          Age                 From     Message
  ----    ------          ----                ----     -------
  Normal  Killing         2m (x12 over 40m)   kubelet  Stopping container kube-apiserver
  Normal  SandboxChanged  2m (x13 over 41m)   kubelet  Pod sandbox changed, it will be killed and re-created.
`;
const etcd =
  '$ kubectl -n kube-system logs etcd-birch\n{"level":"info","ts":"2025-03-04T08:10:57.118Z","caller":"osutil/interrupt_unix.go:64","msg":"received signal; shutting down","signal":"terminated"}\n';
const containerd = `$ cat /etc/containerd/config.toml
version = 2
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
  SystemdCgroup = false
`;
const kubelet = (driver: string) => `$ cat /var/lib/kubelet/config.yaml
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cgroupDriver: ${driver}
`;

testCause(cause, {
  finds: {
    'the configuration, the pods and their events': {
      evidence: {
        'pods.txt': pods,
        'events.txt': events,
        'containerd.txt': containerd,
        'kubelet.txt': kubelet('systemd'),
        'etcd.log': etcd,
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'without the configuration': { evidence: { 'pods.txt': pods, 'events.txt': events, 'etcd.log': etcd }, confidence: 'possible' },
  },
  rulesOut: {
    'both on cgroupfs': {
      evidence: { 'pods.txt': pods, 'events.txt': events, 'containerd.txt': containerd, 'kubelet.txt': kubelet('cgroupfs') },
      by: 'kubeletCgroupfs',
    },
    'the kubelet follows': {
      evidence: {
        'pods.txt': pods,
        'events.txt': events,
        'containerd.txt': containerd,
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: I0304 08:10:57.118402    2041 server.go:1437] "Using cgroup driver setting received from the CRI runtime" cgroupDriver="cgroupfs"\n',
      },
      by: 'follows',
    },
    'a probe': {
      evidence: {
        'pods.txt': pods.replace(/^etcd.*\n/m, ''),
        'containerd.txt': containerd,
        'events.txt': `${events}  Normal  Killing         1m (x3 over 40m)    kubelet  Container kube-apiserver failed liveness probe, will be restarted\n`,
      },
      by: 'probed',
    },
    'Docker runs them': {
      evidence: {
        'pods.txt': pods,
        'containerd.txt': containerd,
        'nodes.txt': `NAME    STATUS   ROLES           AGE   VERSION    INTERNAL-IP   EXTERNAL-IP   OS-IMAGE             KERNEL-VERSION      CONTAINER-RUNTIME
birch   Ready    control-plane   51m   v1.23.17   10.4.0.10     <none>        Ubuntu 20.04.6 LTS   5.4.0-150-generic   docker://20.10.24
`,
      },
      by: 'byDocker',
    },
    'an ordinary pod': {
      evidence: {
        'pods.txt': `$ kubectl get pods -A -o wide
NAMESPACE     NAME                   READY   STATUS             RESTARTS        AGE   IP           NODE    NOMINATED NODE   READINESS GATES
books         ledger-0               0/1     CrashLoopBackOff   39 (2m1s ago)   51m   10.244.0.9   birch   <none>           <none>
`,
        'containerd.txt': containerd,
      },
      by: 'ordinary',
    },
  },
  asks: { 'the configuration of the runtime': { evidence: { 'pods.txt': pods, 'events.txt': events }, for: 'containerd-config' } },
});
