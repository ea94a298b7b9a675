import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const recent = `Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"
Mar 04 08:10:57 birch systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE
Mar 04 08:10:57 birch systemd[1]: kubelet.service: Failed with result 'exit-code'.
Mar 04 08:11:07 birch systemd[1]: kubelet.service: Scheduled restart job, restart counter is at 12.
`;
const older = `Mar 04 08:10:57 birch kubelet[2041]: F0304 08:10:57.118402    2041 server.go:261] failed to run Kubelet: Running with swap on is not supported, please disable swap! or set --fail-swap-on flag to false. /proc/swaps contained: [Filename                                Type                Size        Used        Priority /swapfile                               file                2097148        0        -2]
`;
const started = `Mar 04 08:20:57 birch kubelet[2107]: I0304 08:20:57.118402    2107 server.go:1264] "Started kubelet"
Mar 04 08:20:58 birch kubelet[2107]: I0304 08:20:58.118402    2107 kubelet_node_status.go:76] "Successfully registered node" node="birch"
`;

testCause(cause, {
  finds: {
    'a recent kubelet': { evidence: { 'kubelet.log': recent }, confidence: 'certain', place: 'node birch', cites: ['kubelet.log:1'] },
    'an older one names the file': { evidence: { 'kubelet.log': older }, confidence: 'certain', place: 'node birch' },
    'kubeadm refuses': {
      evidence: {
        'init.txt':
          '[root@birch ~]# kubeadm init\n[preflight] Running pre-flight checks\nerror execution phase preflight: [preflight] Some fatal errors occurred:\n\t[ERROR Swap]: running with swap on is not supported. Please disable swap\n',
      },
      confidence: 'probable',
      place: 'node birch',
    },
    'a warning, a swap file, and a kubelet that is down': {
      evidence: {
        'host.txt': `[root@birch ~]# systemctl status kubelet
● kubelet.service - kubelet: The Kubernetes Node Agent
     Loaded: loaded (/lib/systemd/system/kubelet.service; enabled; vendor preset: enabled)
     Active: activating (auto-restart) (Result: exit-code) since Tue 2025-03-04 08:10:57 UTC; 4s ago
   Main PID: 2041 (code=exited, status=1/FAILURE)
[root@birch ~]# swapon --show
NAME      TYPE SIZE USED PRIO
/swapfile file   2G   0B   -2
`,
        'init.txt':
          '[root@birch ~]# kubeadm init\n[preflight] Running pre-flight checks\n\t[WARNING Swap]: swap is enabled; production deployments should disable swap unless testing the NodeSwap feature gate of the kubelet\n',
        'config.yaml': 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nfailSwapOn: true\n',
      },
      confidence: 'possible',
      cites: ['host.txt:8'],
    },
  },
  rulesOut: {
    'it has started since': { evidence: { 'kubelet.log': recent + started }, by: 'cameUp' },
    'told to tolerate it': {
      evidence: {
        'kubelet.log': `${recent}Mar 04 08:14:57 birch kubelet[2099]: I0304 08:14:57.118402    2099 flags.go:64] FLAG: --fail-swap-on="false"\n`,
      },
      by: 'tolerated',
    },
  },
  asks: {
    'the journal': {
      evidence: {
        'init.txt':
          '[root@birch ~]# kubeadm init\n[preflight] Running pre-flight checks\n\t[WARNING Swap]: swap is enabled; production deployments should disable swap unless testing the NodeSwap feature gate of the kubelet\n',
      },
      for: 'kubelet-log',
    },
  },
});
