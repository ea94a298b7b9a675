import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const status = (process: string) => `[root@birch ~]# systemctl status kubelet
● kubelet.service - kubelet: The Kubernetes Node Agent
   Loaded: loaded (/etc/systemd/system/kubelet.service; enabled; vendor preset: enabled)
   Active: failed (Result: start-limit-hit) since Tue 2025-03-04 08:10:57 UTC; 14min ago
  Process: ${process}

`;
const noProgram =
  'Mar 04 08:10:57 birch systemd[5120]: kubelet.service: Failed at step EXEC spawning /usr/local/bin/kubelet: No such file or directory\n';

testCause(cause, {
  finds: {
    'rke2 beside nm-cloud-setup': {
      evidence: {
        'journal.txt': `Mar 04 08:10:57 birch sh[4843]: + /usr/bin/systemctl is-enabled --quiet nm-cloud-setup.service
Mar 04 08:10:57 birch systemd[1]: rke2-server.service: Control process exited, code=exited, status=1/FAILURE
`,
      },
      confidence: 'possible',
      place: 'node birch',
    },
    'only the number': {
      evidence: {
        'journal.txt': 'Mar 04 08:10:57 birch systemd[1]: kubelet.service: Main process exited, code=exited, status=203/EXEC\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'a status that is cut off': {
      evidence: {
        'status.txt': `[root@birch ~]# systemctl status cri-docker
● cri-docker.service - CRI Interface for Docker Application Container Engine
     Loaded: loaded (/etc/systemd/system/cri-docker.service; enabled; vendor preset: enabled)
     Active: failed (Result: exit-code) since Tue 2025-03-04 08:10:57 UTC; 1min 43s ago
    Process: 5165 ExecStart=/usr/bin/cri-dockerd --container-runtime-endpoint fd:// --network-plugin=cni >
   Main PID: 5165 (code=exited, status=203/EXEC)
`,
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'no program': { evidence: { 'journal.txt': noProgram }, confidence: 'certain', place: 'node birch', cites: ['journal.txt:1'] },
    'a newer systemd': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch systemd[5120]: containerd.service: Failed to locate executable /usr/local/bin/containerd: Permission denied\n',
      },
      confidence: 'certain',
    },
    'a command before it': {
      evidence: {
        'status.txt': status('1437 ExecStartPre=/sbin/sysctl -w net.netfilter.nf_conntrack_max=131072 (code=exited, status=255)'),
        'journal.txt': 'Mar 04 08:10:57 birch systemd[1]: kubelet.service: Control process exited, code=exited status=255\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'no environment file': {
      evidence: {
        'journal.txt': 'Mar 04 08:10:57 birch systemd[1]: etcd.service: Failed to load environment files: No such file or directory\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it runs': {
      evidence: {
        'journal.txt': `${noProgram}Mar 04 08:20:57 birch operator[1]: kubelet.service: Active: active (running)\n`,
      },
      by: 'runs',
    },
  },
  asks: { 'the state of the unit': { evidence: { 'journal.txt': noProgram }, for: 'unit-state' } },
});
