import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE      NAME                    READY   STATUS             RESTARTS      AGE   IP          NODE
kube-flannel   kube-flannel-ds-x7k2p   0/1     CrashLoopBackOff   6 (61s ago)   9m    10.4.0.11   plover-1
`;
const log = `$ kubectl -n kube-flannel logs kube-flannel-ds-x7k2p
I0304 08:10:57.331207       1 main.go:212] CLI flags config: {etcdEndpoints:http://127.0.0.1:4001 subnetFile:/run/flannel/subnet.env iface:[] ifaceRegex:[] ipMasq:true}
E0304 08:10:57.352201       1 main.go:269] Failed to check br_netfilter: stat /proc/sys/net/bridge/bridge-nf-call-iptables: no such file or directory
`;

testCause(cause, {
  finds: {
    'the log of flannel': {
      evidence: { 'pods.txt': pods, 'flannel.log': log },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['flannel.log:3'],
      victims: 1,
    },
    'another pod of the node crashes for its own reason': {
      evidence: {
        'pods.txt': `${pods}shop           cart-5d9c7b6f8-q2w4z    0/1     CrashLoopBackOff   9 (41s ago)   9m    10.4.2.11   plover-1\n`,
        'flannel.log': log,
      },
      confidence: 'certain',
      place: 'node plover-1',
      victims: 1,
    },
    'kubeadm refuses, and sysctl agrees': {
      evidence: {
        'join.txt': `[root@plover-1 ~]# kubeadm join 10.4.0.10:6443
[preflight] Running pre-flight checks
error execution phase preflight: [preflight] Some fatal errors occurred:
	[ERROR FileContent--proc-sys-net-bridge-bridge-nf-call-iptables]: /proc/sys/net/bridge/bridge-nf-call-iptables does not exist
[root@plover-1 ~]# sysctl -p /etc/sysctl.d/k8s.conf
sysctl: cannot stat /proc/sys/net/bridge/bridge-nf-call-iptables: No such file or directory
`,
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'flannel got further and has no pod CIDR': {
      evidence: {
        'pods.txt': pods,
        'flannel.log': `${log}I0304 08:15:57.331207       1 kube.go:139] Waiting 10m0s for node controller to sync
E0304 08:15:58.352201       1 main.go:332] Error registering network: failed to acquire lease: node "plover-1" pod cidr not assigned
`,
      },
      by: 'passed',
    },
    'no flannel pod is in trouble': {
      evidence: {
        'pods.txt': pods.replace('kube-flannel-ds-x7k2p', 'kube-router-ds-x7k2p '),
        'preflight.txt':
          '[root@plover-1 ~]# kubeadm join 10.4.0.10:6443\n	[ERROR FileContent--proc-sys-net-bridge-bridge-nf-call-iptables]: /proc/sys/net/bridge/bridge-nf-call-iptables does not exist\n',
      },
      by: 'otherPod',
    },
  },
  asks: {
    'the log of flannel': {
      evidence: {
        'pods.txt': pods,
        'host.txt':
          '[root@plover-1 ~]# sysctl --system\nsysctl: cannot stat /proc/sys/net/bridge/bridge-nf-call-iptables: No such file or directory\n',
      },
      for: 'container-log',
    },
  },
});
