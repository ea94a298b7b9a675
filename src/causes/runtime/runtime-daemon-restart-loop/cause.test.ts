import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const status = `[root@spruce ~]# systemctl status containerd
● containerd.service - containerd container runtime
     Loaded: loaded (/lib/systemd/system/containerd.service; enabled; vendor preset: enabled)
     Active: activating (auto-restart) (Result: exit-code) since Thu 2024-07-04 10:00:31 UTC; 3s ago
    Process: 5120 ExecStart=/usr/bin/containerd (code=exited, status=2)
   Main PID: 5120 (code=exited, status=2)
`;
const journal = `Jul 04 10:00:31 spruce containerd[5120]: panic: runtime error: index out of range [3] with length 3
Jul 04 10:00:31 spruce systemd[1]: containerd.service: Main process exited, code=exited, status=2/INVALIDARGUMENT
Jul 04 10:00:31 spruce systemd[1]: containerd.service: Failed with result 'exit-code'.
Jul 04 10:00:36 spruce systemd[1]: containerd.service: Scheduled restart job, restart counter is at 41.
`;
const nodes = `NAME     STATUS     ROLES    AGE   VERSION
spruce   NotReady   <none>   70d   v1.29.6
`;
const unitFile = `[root@spruce ~]# systemctl cat containerd
# /etc/systemd/system/containerd.service
[Service]
ExecStart=/usr/bin/containerd
KillMode=mixed
Restart=always
`;
const pod = `apiVersion: v1
kind: Pod
metadata:
  name: mail-0
  namespace: post
spec:
  nodeName: spruce
  containers:
  - name: mail
    image: example.org/mail:2
status:
  phase: Running
  containerStatuses:
  - name: mail
    image: example.org/mail:2
    imageID: ""
    ready: false
    restartCount: 4
    lastState:
      terminated:
        exitCode: 255
        reason: Unknown
        startedAt: "2024-07-04T09:40:00Z"
        finishedAt: "2024-07-04T10:00:31Z"
    state:
      running:
        startedAt: "2024-07-04T10:01:00Z"
`;

testCause(cause, {
  finds: {
    'systemd waits to start it again': {
      evidence: { 'status.txt': status, 'nodes.txt': nodes },
      confidence: 'certain',
      place: 'node spruce',
      cites: ['status.txt:2', 'status.txt:4'],
    },
    'the journal counts the restarts': {
      evidence: {
        'journal.txt': `[root@spruce ~]# journalctl -u containerd\n${journal}`,
        'nodes.txt': nodes,
        'unit.txt': unitFile,
        'pod.yaml': pod,
      },
      confidence: 'probable',
      place: 'node spruce',
    },
  },
  rulesOut: {
    'a runtime that is simply stopped': {
      evidence: {
        'status.txt': `[root@spruce ~]# systemctl status containerd docker
○ containerd.service - containerd container runtime
     Loaded: loaded (/lib/systemd/system/containerd.service; disabled; vendor preset: enabled)
     Active: inactive (dead)

● docker.service - Docker Application Container Engine
     Loaded: loaded (/lib/systemd/system/docker.service; enabled; vendor preset: enabled)
     Active: activating (auto-restart) (Result: exit-code) since Thu 2024-07-04 10:00:31 UTC; 1s ago
`,
      },
      by: 'stopped',
    },
  },
  asks: {
    'the state of the units': { evidence: { 'journal.txt': `[root@spruce ~]# journalctl -u containerd\n${journal}` }, for: 'unit-state' },
  },
});
