import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const fatal = `Jun 12 09:14:02 birch kubelet[20417]: F0612 09:14:02.118402   20417 server.go:274] failed to run Kubelet: misconfiguration: kubelet cgroup driver: "systemd" is different from docker cgroup driver: "cgroupfs"
Jun 12 09:14:02 birch systemd[1]: kubelet.service: Main process exited, code=exited, status=255/EXCEPTION
Jun 12 09:14:02 birch systemd[1]: kubelet.service: Failed with result 'exit-code'.
Jun 12 09:14:12 birch systemd[1]: kubelet.service: Scheduled restart job, restart counter is at 31.
`;
const structured = `Jun 12 09:14:02 birch kubelet[20417]: E0612 09:14:02.118402   20417 server.go:302] "Failed to run kubelet" err="failed to run Kubelet: misconfiguration: kubelet cgroup driver: \\"cgroupfs\\" is different from docker cgroup driver: \\"systemd\\""
`;
const criDockerd = `Jun 12 09:14:02 birch cri-dockerd[7712]: time="2023-06-12T09:14:02Z" level=fatal msg="misconfiguration: kubelet cgroup driver: \\"systemd\\" is different from docker cgroup driver: \\"cgroupfs\\""
`;
const status = `● kubelet.service - kubelet: The Kubernetes Node Agent
     Loaded: loaded (/lib/systemd/system/kubelet.service; enabled; vendor preset: enabled)
    Drop-In: /etc/systemd/system/kubelet.service.d
             └─10-kubeadm.conf
     Active: activating (auto-restart) (Result: exit-code) since Mon 2023-06-12 09:14:02 UTC; 4s ago
       Docs: https://kubernetes.io/docs/home/
    Process: 20417 ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS (code=exited, status=255/EXCEPTION)
   Main PID: 20417 (code=exited, status=255/EXCEPTION)
`;
const dockerInfo = ` Server Version: 20.10.21
 Storage Driver: overlay2
 Logging Driver: json-file
 Cgroup Driver: cgroupfs
 Cgroup Version: 1
`;

testCause(cause, {
  finds: {
    'the fatal line of an old kubelet': {
      evidence: { 'kubelet.log': fatal },
      confidence: 'certain',
      place: 'node birch',
      cites: ['kubelet.log:1'],
    },
    'structured, and the other way round': { evidence: { 'kubelet.log': structured }, confidence: 'certain', place: 'node birch' },
    'cri-dockerd says it': {
      evidence: { 'journal.txt': `[root@birch ~]# journalctl -u cri-docker -n 1\n${criDockerd}` },
      confidence: 'certain',
      place: 'node birch',
    },
    'pasted without any frame': {
      evidence: {
        'note.txt':
          'failed to run Kubelet: failed to create kubelet: misconfiguration: kubelet cgroup driver: "systemd" is different from docker cgroup driver: "cgroupfs"\n',
      },
      confidence: 'certain',
      place: 'this node',
    },
    'a kubelet that dies, and Docker on cgroupfs': {
      evidence: {
        'host.txt': `[root@birch ~]# systemctl status kubelet\n${status}\n[root@birch ~]# docker info\n${dockerInfo}`,
        'init.txt': `[root@birch ~]# kubeadm init
[preflight] Running pre-flight checks
	[WARNING IsDockerSystemdCheck]: detected "cgroupfs" as the Docker cgroup driver. The recommended driver is "systemd". Please follow the guide at https://kubernetes.io/docs/setup/cri/
`,
      },
      confidence: 'probable',
      place: 'node birch',
    },
  },
  rulesOut: {
    'the node has since moved to a kubelet that asks the runtime': {
      evidence: {
        'kubelet.log': fatal,
        'version.txt': `[root@birch ~]# kubelet --version\nKubernetes v1.34.2\n[root@birch ~]# containerd --version\ncontainerd github.com/containerd/containerd/v2 v2.1.4 75cb2b7193e4e490e9fbdc236c0e811ccaba3376\n`,
      },
      by: 'followsRuntime',
    },
  },
  asks: {
    'the kubelet is down, its journal not shown': {
      evidence: { 'status.txt': `[root@birch ~]# systemctl status kubelet\n${status}` },
      for: 'kubelet-log',
    },
  },
});
