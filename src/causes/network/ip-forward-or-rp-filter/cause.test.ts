import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const sysctl = (value: number) => `[root@plover-1 ~]# sysctl net.ipv4.ip_forward net.bridge.bridge-nf-call-iptables
net.ipv4.ip_forward = ${value}
net.bridge.bridge-nf-call-iptables = 0
`;
const preflight = `[root@plover-1 ~]# kubeadm join 10.4.0.10:6443 --token abcdef.0123456789abcdef
[preflight] Running pre-flight checks
error execution phase preflight: [preflight] Some fatal errors occurred:
	[ERROR FileContent--proc-sys-net-ipv4-ip_forward]: /proc/sys/net/ipv4/ip_forward contents are not set to 1
[preflight] If you know what you are doing, you can make a check non-fatal with \`--ignore-preflight-errors=...\`
`;

testCause(cause, {
  finds: {
    'answers of a pod on the same bridge': {
      evidence: { 'shell.txt': ';; reply from unexpected source: 10.4.0.12#53, expected 10.96.0.10#53\n' },
      confidence: 'possible',
    },
    sysctl: { evidence: { 'host.txt': sysctl(0) }, confidence: 'certain', place: 'node plover-1', cites: ['host.txt:2', 'host.txt:3'] },
    'kubeadm refuses': { evidence: { 'join.txt': preflight }, confidence: 'probable', place: 'node plover-1', cites: ['join.txt:4'] },
    'Docker warns': {
      evidence: {
        'info.txt': '[root@plover-1 ~]# docker run --rm busybox true\nWARNING: IPv4 forwarding is disabled. Networking will not work.\n',
      },
      confidence: 'probable',
    },
    'calico refuses the filter': {
      evidence: {
        'felix.log':
          "$ kubectl -n kube-system logs calico-node-x7k2p\n2025-03-04 08:10:47.681 [FATAL][71] int_dataplane.go 1035: Kernel's RPF check is set to 'loose'.  This would allow endpoints to spoof their IP address.  Calico requires net.ipv4.conf.all.rp_filter to be set to 0 or 1. If you require loose RPF and you are not concerned about spoofing, this check can be disabled by setting the IgnoreLooseRPF configuration parameter to 'true'.\n",
      },
      confidence: 'probable',
    },
    'a plugin': {
      evidence: {
        'describe.txt': `Events:
  Type     Reason                  Age   From     Message
  ----     ------                  ----  ----     -------
  Warning  FailedCreatePodSandBox  8s    kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f": plugin type="bridge" failed (add): failed to enable forwarding: open /proc/sys/net/ipv4/ip_forward: read-only file system
`,
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it is on by now': { evidence: { 'join.txt': preflight, 'host.txt': sysctl(1) }, by: 'on' },
  },
  asks: { 'the setting': { evidence: { 'join.txt': preflight }, for: 'host.sysctl' } },
});
