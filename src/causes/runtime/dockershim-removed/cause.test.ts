import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubelet = `Jun 03 10:11:12 oak-1 kubelet[4711]: E0603 10:11:12.000000    4711 run.go:74] "command failed" err="failed to run Kubelet: unable to determine runtime API version: rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing dial unix /var/run/dockershim.sock: connect: no such file or directory\\""
`;
const flag = `Jun 03 10:11:12 oak-1 kubelet[4711]: E0603 10:11:12.000000    4711 run.go:74] "command failed" err="failed to parse kubelet flag: unknown flag: --network-plugin"
`;

testCause(cause, {
  finds: {
    'kubeadm of 1.23 on a node that moved to containerd': {
      evidence: {
        'upgrade.txt': `[root@oak-1 ~]# kubeadm upgrade node
[upgrade] Reading configuration from the cluster...
[preflight] Running pre-flight checks
error execution phase preflight: docker is required for container runtime: exec: "docker": executable file not found in $PATH
`,
      },
      confidence: 'certain',
      place: 'node oak-1',
    },
    'the kubelet says it': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 elm kubelet[4450]: E0304 08:10:57.240000    4450 server.go:302] "Failed to run kubelet" err="failed to run Kubelet: using dockershim is not supported, please consider using a full-fledged CRI implementation"\n',
      },
      confidence: 'certain',
    },
    'the socket is gone': { evidence: { 'kubelet.log': kubelet }, confidence: 'certain', place: 'node oak-1', cites: ['kubelet.log:1'] },
    'a removed flag': { evidence: { 'kubelet.log': flag }, confidence: 'certain', place: 'node oak-1', cites: ['kubelet.log:1'] },
    'with the version': {
      evidence: {
        'kubelet.log': kubelet,
        'oak-1.txt': '[root@oak-1 ~]# kubelet --version\nKubernetes v1.25.4\n',
      },
      confidence: 'certain',
      place: 'node oak-1',
    },
    'only crictl looks for it': {
      evidence: {
        'oak-1.txt': `[root@oak-1 ~]# crictl ps
FATA[0000] listing containers: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing dial unix /var/run/dockershim.sock: connect: no such file or directory"
`,
      },
      confidence: 'possible',
    },
    'kubeadm looks for it': {
      evidence: {
        'kubeadm.txt': `[root@oak-1 ~]# kubeadm upgrade node
[preflight] Running pre-flight checks
error execution phase preflight: [preflight] Some fatal errors occurred:
	[ERROR CRI]: container runtime is not running: output: time="2024-06-03T10:11:12Z" level=fatal msg="unable to determine runtime API version: rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing dial unix /var/run/dockershim.sock: connect: no such file or directory\\""
`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a kubelet that still has it': {
      evidence: {
        'kubelet.log': `${kubelet}Jun 03 10:12:12 oak-1 kubelet[4800]: I0603 10:12:12.000000    4800 server.go:1190] "Using dockershim is deprecated, please consider using a full-fledged CRI implementation"\n`,
      },
      by: 'stillThere',
    },
  },
  asks: { 'the version of the kubelet': { evidence: { 'kubelet.log': flag }, for: 'host.version' } },
});
