import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const journal = (message: string) => `Mar 04 08:10:57 birch kubelet[2041]: ${message}
Mar 04 08:10:57 birch systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE
Mar 04 08:10:57 birch systemd[1]: kubelet.service: Failed with result 'exit-code'.
Mar 04 08:11:07 birch systemd[1]: kubelet.service: Scheduled restart job, restart counter is at 12.
`;
const removed = journal(
  'E0304 08:10:57.118402    2041 run.go:74] "command failed" err="failed to parse kubelet flag: unknown flag: --network-plugin"',
);
const absent = journal(
  'E0304 08:10:57.118402    2041 run.go:72] "command failed" err="failed to load kubelet config file, path: /var/lib/kubelet/config.yaml, error: failed to load Kubelet config file /var/lib/kubelet/config.yaml, error failed to read kubelet config file \\"/var/lib/kubelet/config.yaml\\", error: open /var/lib/kubelet/config.yaml: no such file or directory"',
);
const started = `Mar 04 08:20:57 birch kubelet[2107]: I0304 08:20:57.118402    2107 server.go:1264] "Started kubelet"
Mar 04 08:20:58 birch kubelet[2107]: I0304 08:20:58.118402    2107 kubelet_node_status.go:76] "Successfully registered node" node="birch"
`;

testCause(cause, {
  finds: {
    'labels that it may not set, handed on by rke2': {
      evidence: {
        'rke2.log':
          "Mar 04 08:10:57 birch rke2[2041]: Error: failed to validate kubelet flags: unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: [oak.node-restriction.kubernetes.io/pool]\n",
      },
      confidence: 'certain',
    },
    'labels that it may not set, pasted alone': {
      evidence: {
        'paste.txt':
          "failed to validate kubelet flags: unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: [node-role.kubernetes.io/worker]\n",
      },
      confidence: 'probable',
    },
    'a cloud provider that went out of the kubelet': {
      evidence: {
        'kubelet.log': journal(
          'E0304 08:10:57.118402    2041 run.go:74] "command failed" err="failed to run Kubelet: unknown cloud provider: \\"aws\\" was specified through the --cloud-provider flag"',
        ),
      },
      confidence: 'certain',
    },
    'labels that a kubelet may not set': {
      evidence: {
        'kubelet.log':
          "Mar 04 08:10:57 alder kubelet[901]: Error: failed to validate kubelet flags: unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: [node-role.kubernetes.io/worker]\n",
      },
      confidence: 'certain',
    },
    'its CA file is not there': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 alder kubelet[901]: E0304 08:10:57.118402     901 run.go:74] "command failed" err="failed to construct kubelet dependencies: unable to load client CA file /etc/kubernetes/pki/ca.crt: open /etc/kubernetes/pki/ca.crt: no such file or directory"\n',
      },
      confidence: 'certain',
    },
    'a kubeconfig that is a folder': {
      evidence: {
        'kubelet.log': journal(
          'E0304 08:10:57.118402    2041 run.go:72] "command failed" err="failed to run Kubelet: invalid kubeconfig: error loading config file \\"/var/lib/kubelet/kubeconfig\\": read /var/lib/kubelet/kubeconfig: is a directory"',
        ),
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'a removed flag': { evidence: { 'kubelet.log': removed }, confidence: 'certain', place: 'node birch', cites: ['kubelet.log:1'] },
    'a removed flag, years ago': {
      evidence: { 'kubelet.log': journal('F0304 08:10:57.118402    2041 server.go:145] unknown flag: --require-kubeconfig') },
      confidence: 'certain',
      place: 'node birch',
    },
    'an older kubelet prints it bare': {
      evidence: { 'kubelet.log': journal('Error: failed to parse kubelet flag: unknown flag: --container-runtime') },
      confidence: 'certain',
    },
    'no file': { evidence: { 'kubelet.log': absent }, confidence: 'certain', place: 'node birch' },
    'no file, old words': {
      evidence: {
        'kubelet.log': journal(
          'F0304 08:10:57.118402    2041 server.go:198] failed to load Kubelet config file /var/lib/kubelet/config.yaml, error failed to read kubelet config file "/var/lib/kubelet/config.yaml", error: open /var/lib/kubelet/config.yaml: no such file or directory',
        ),
      },
      confidence: 'certain',
    },
    'only the end of its help': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]:       --vmodule moduleSpec          comma-separated list of pattern=N settings for file-filtered logging\nMar 04 08:10:57 birch kubelet[2041]:       --volume-plugin-dir string    The full path of the directory in which to search\n',
      },
      confidence: 'possible',
      place: 'node birch',
    },
    'no inner error': {
      evidence: {
        'kubelet.log': journal(
          'E0304 08:10:57.118402    2041 server.go:206] "Failed to load kubelet config file" err="failed to load Kubelet config file /var/lib/kubelet/config.yaml" path="/var/lib/kubelet/config.yaml"',
        ),
      },
      confidence: 'certain',
    },
    'a wrong value': {
      evidence: {
        'kubelet.log': journal(
          'E0304 08:10:57.118402    2041 run.go:72] "command failed" err="failed to validate kubelet configuration, error: invalid configuration: evictionHard threshold is wrong, path: &TypeMeta{Kind:,APIVersion:,}"',
        ),
      },
      confidence: 'certain',
    },
    'an unknown gate, and the unit is down': {
      evidence: {
        'kubelet.log': journal(
          'E0304 08:10:57.118402    2041 run.go:72] "command failed" err="failed to set feature gates from initial flags-based config: unrecognized feature gate: TTLAfterFinished"',
        ),
        'status.txt': `[root@birch ~]# systemctl status kubelet
● kubelet.service - kubelet: The Kubernetes Node Agent
     Loaded: loaded (/lib/systemd/system/kubelet.service; enabled; vendor preset: enabled)
     Active: activating (auto-restart) (Result: exit-code) since Tue 2025-03-04 08:10:57 UTC; 4s ago
   Main PID: 2041 (code=exited, status=1/FAILURE)
`,
      },
      confidence: 'certain',
      cites: ['kubelet.log:1', 'kubelet.log:4'],
    },
  },
  rulesOut: {
    'a disk that cannot be read': {
      evidence: {
        'kubelet.log': journal(
          'F0304 08:10:57.118402    2041 server.go:199] failed to load Kubelet config file /var/lib/kubelet/config.yaml, error failed to read kubelet config file "/var/lib/kubelet/config.yaml", error: read /var/lib/kubelet/config.yaml: input/output error',
        ),
      },
      by: 'unreadable',
    },
    'the host is on cgroup v1': {
      evidence: {
        'kubelet.log': journal(
          'E0304 08:10:57.118402    2041 run.go:72] "command failed" err="failed to validate kubelet configuration, error: invalid configuration: kubelet is configured to not run on a host using cgroup v1. cgroup v1 support is unsupported and will be removed in a future release, path: &TypeMeta{Kind:,APIVersion:,}"',
        ),
      },
      by: 'oldHierarchy',
    },
    'the journal from before the join, well since': { evidence: { 'kubelet.log': absent + started }, by: 'cameUp' },
    'it gets further and has no credentials': {
      evidence: {
        'kubelet.log': `${absent}${journal('E0304 09:10:57.118402    2041 run.go:74] "command failed" err="failed to run Kubelet: unable to load bootstrap kubeconfig: stat /etc/kubernetes/bootstrap-kubelet.conf: no such file or directory"').replaceAll('08:1', '09:1')}`,
      },
      by: 'credentials',
    },
  },
  asks: {
    'the state of the unit': { evidence: { 'kubelet.log': removed.split('\n').slice(0, 1).join('\n') }, for: 'node-status' },
  },
});
