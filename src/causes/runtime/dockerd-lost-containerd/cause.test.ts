import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe = (started = '52m') => `Name:                 net-agent-5vx2q
Namespace:            kube-system
Node:                 rack-9/10.7.0.19
Start Time:           Mon, 03 Apr 2023 08:00:01 +0000
Status:               Pending
Controlled By:        DaemonSet/net-agent
Init Containers:
  prepare:
    Container ID:  docker://9c1d2e3f405162738495a6b7c8d9e0f112233445566778899001122334455667
    Image:         example.org/net/prepare:1.2
    State:          Running
      Started:      Mon, 03 Apr 2023 08:03:40 +0000
    Ready:          False
    Restart Count:  0
Containers:
  agent:
    Container ID:
    Image:          example.org/net/agent:1.2
    State:          Waiting
      Reason:       PodInitializing
    Ready:          False
    Restart Count:  0
Events:
  Type    Reason   Age   From     Message
  ----    ------   ----  ----     -------
  Normal  Pulled   55m   kubelet  Container image "example.org/net/prepare:1.2" already present on machine
  Normal  Created  55m   kubelet  Created container prepare
  Normal  Started  ${started}   kubelet  Started container prepare
`;

const dockerPs = `CONTAINER ID   IMAGE          COMMAND        CREATED          STATUS          PORTS     NAMES
9c1d2e3f4051   a1b2c3d4e5f6   "/bin/prep"    54 minutes ago   Up 52 minutes             k8s_prepare_net-agent-5vx2q_kube-system_0f9e8d7c-1111-2222-3333-444455556666_0
`;

const dockerLog = `Apr 03 08:05:11 rack-9 dockerd[812]: time="2023-04-03T08:05:11.402Z" level=warning msg="grpc: addrConn.createTransport failed to connect to {unix:///run/containerd/containerd.sock  <nil> 0 <nil>}. Err :connection error: desc = \\"transport: Error while dialing dial unix /run/containerd/containerd.sock: connect: connection refused\\". Reconnecting..." module=grpc
`;

testCause(cause, {
  finds: {
    'what it answers the kubelet': {
      evidence: {
        'events.txt':
          'LAST SEEN   TYPE      REASON          OBJECT                MESSAGE\n29s         Warning   FailedKillPod   pod/net-agent-5vx2q   error killing pod: failed to "KillContainer" for "agent" with KillContainerError: "rpc error: code = Unknown desc = Error response from daemon: Cannot stop container 39f971a7deff: Cannot kill container 39f971a7deff: rpc error: code = 14 desc = grpc: the connection is unavailable"\n',
        'node.txt': nodeTable('docker://17.3.2'),
      },
      confidence: 'probable',
    },
    "Docker's own complaint": {
      evidence: {
        'describe.txt': describe(),
        'docker.log': dockerLog,
        'prepare.txt': '$ kubectl logs net-agent-5vx2q -n kube-system -c prepare\nprepared\n',
        'node.txt': nodeTable('docker://20.10.21'),
      },
      confidence: 'certain',
      place: 'node rack-9',
      cites: ['docker.log:1'],
      victims: 1,
    },
    'containerd hangs: it answers nobody, and Docker says nothing': {
      evidence: {
        'describe.txt': describe(),
        'prepare.txt': '$ kubectl logs net-agent-5vx2q -n kube-system -c prepare\nprepared\n',
        'node.txt': nodeTable('docker://20.10.24'),
        'host.txt': `root@rack-9:~# docker ps -a
${dockerPs}
root@rack-9:~# ctr --address /run/containerd/containerd.sock --namespace moby tasks ls

podcause: no answer within 3 s
`,
      },
      confidence: 'certain',
      place: 'node rack-9',
      victims: 1,
    },
    'containerd hangs since a minute: too short to call a container stuck': {
      evidence: {
        'pods.txt': `$ kubectl get pods -n kube-system -o wide
NAME              READY   STATUS     RESTARTS   AGE   IP          NODE     NOMINATED NODE   READINESS GATES
net-agent-5vx2q   0/1     Init:0/1   0          95s   10.7.0.19   rack-9   <none>           <none>
`,
        'node.txt': nodeTable('docker://Unknown').replace(' Ready ', ' NotReady '),
        'prepare.txt': '$ kubectl logs net-agent-5vx2q -n kube-system -c prepare\nprepared\n',
        'host.txt': `root@rack-9:~# ctr --address /run/containerd/containerd.sock --namespace moby tasks ls

podcause: no answer within 3 s
root@rack-9:~# journalctl -u kubelet -n 1
Apr 03 08:40:05 rack-9 kubelet[990]: E0403 08:40:05.102201     990 remote_runtime.go:916] "Status from runtime service failed" err="rpc error: code = DeadlineExceeded desc = context deadline exceeded"
`,
      },
      confidence: 'certain',
      place: 'node rack-9',
    },
    'only a container that hangs': {
      evidence: { 'describe.txt': describe(), 'ps.txt': dockerPs },
      confidence: 'possible',
      place: 'node rack-9',
    },
    'containerd knows it stopped, the kubelet sees the runtime down': {
      evidence: {
        'describe.txt': describe(),
        'host.txt': `[root@rack-9 ~]# ctr -n moby tasks ls
TASK                                                                PID      STATUS
9c1d2e3f405162738495a6b7c8d9e0f112233445566778899001122334455667    20412    STOPPED
[root@rack-9 ~]# journalctl -u kubelet -n 2
Apr 03 08:40:00 rack-9 kubelet[990]: E0403 08:40:00.102201     990 kubelet.go:2010] "Skipping pod synchronization" err="container runtime is down"
Apr 03 08:40:05 rack-9 kubelet[990]: E0403 08:40:05.102201     990 remote_runtime.go:334] "ContainerStatus from runtime service failed" err="rpc error: code = Unknown desc = operation timeout: context deadline exceeded"
`,
        'story.txt': 'In the end we saw that docker could not connect to containerd any more.\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'the init container waits by itself': {
      evidence: {
        'describe.txt': describe(),
        'prepare.txt':
          '$ kubectl logs net-agent-5vx2q -n kube-system -c prepare\nwaiting for config-service to answer\nwaiting for config-service to answer\n',
      },
      by: 'ownWait',
    },
    'containerd hangs, and the kubelet talks to it without Docker': {
      evidence: {
        'node.txt': nodeTable('containerd://1.6.20'),
        'describe.txt': describe(),
        'host.txt':
          'root@rack-9:~# ctr --address /run/containerd/containerd.sock --namespace moby tasks ls\n\npodcause: no answer within 3 s\n',
      },
      by: 'otherRuntime',
    },
    'a node without Docker': { evidence: { 'describe.txt': describe(), 'node.txt': nodeTable('containerd://1.6.20') }, by: 'otherRuntime' },
  },
  asks: { "Docker's journal": { evidence: { 'describe.txt': describe() }, for: 'docker-log' } },
});

function nodeTable(runtime: string): string {
  return `NAME     STATUS   ROLES    AGE   VERSION    INTERNAL-IP   EXTERNAL-IP   OS-IMAGE                KERNEL-VERSION   CONTAINER-RUNTIME
rack-9   Ready    <none>   80d   v1.22.17   10.7.0.19     <none>        CentOS Linux 7 (Core)   3.10.0-1160      ${runtime}
`;
}
