import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe = (message: string) => `Name:             agent-x7k2p
Namespace:        ops
Node:             plover-2/10.4.0.12
Status:           Pending
Controlled By:    DaemonSet/agent
Containers:
  agent:
    Image:         registry.example/agent:3
    State:          Waiting
      Reason:       ContainerCreating
    Ready:          False
    Restart Count:  0
Volumes:
  sock:
    Type:          HostPath (bare host directory volume)
    Path:          /var/run/docker.sock
    HostPathType:  Socket
QoS Class:         BestEffort
Events:
  Type     Reason       Age                  From               Message
  ----     ------       ----                 ----               -------
  Normal   Scheduled    9m10s                default-scheduler  Successfully assigned ops/agent-x7k2p to plover-2
  Warning  FailedMount  58s (x12 over 9m9s)  kubelet            MountVolume.SetUp failed for volume "sock" : hostPath type check failed: ${message}
`;
const socket = '/var/run/docker.sock is not a socket file';

testCause(cause, {
  finds: {
    'a file where a folder should be made': {
      evidence: { 'describe.txt': describe('x').replace('hostPath type check failed: x', 'mkdir /srv/data: file exists') },
      confidence: 'certain',
    },
    'a path the runtime does not find': {
      evidence: {
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON   OBJECT            MESSAGE\nops         9s          Normal    Pulled   pod/agent-x7k2p   Container image "agent:1" already present on machine\nops         9s          Warning   Failed   pod/agent-x7k2p   Error: failed to generate container "5f1c2d3e4f" spec: failed to generate spec: failed to stat "/srv/agent": stat /srv/agent: no such file or directory\n',
      },
      confidence: 'certain',
    },
    'a file in a folder that is not there': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 plover-1 k3s[500]: E0304 08:10:57.541324     500 nestedpendingoperations.go:348] Operation for "{volumeName:kubernetes.io/host-path/a3199835-conf podName:a3199835 nodeName:}" failed. No retries permitted until 2025-03-04 08:10:58. Error: MountVolume.SetUp failed for volume "conf" (UniqueName: "kubernetes.io/host-path/a3199835-conf") pod "agent-x7k2p" (UID: "a3199835") : open /etc/heron/heron.yaml: no such file or directory\n',
      },
      confidence: 'probable',
    },
    'a Docker socket on a containerd node': {
      evidence: { 'describe.txt': describe(socket) },
      confidence: 'certain',
      place: 'DaemonSet ops/agent',
      cites: ['describe.txt:23'],
      victims: 1,
    },
    'a directory, from the journal': {
      evidence: {
        'describe.txt': describe('/srv/data is not a directory'),
        'kubelet.log':
          'Mar 04 08:10:57 plover-2 kubelet[1204]: E0304 08:10:57.331207    1204 nestedpendingoperations.go:348] Operation for "{volumeName:kubernetes.io/host-path/5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11-data podName:5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11 nodeName:}" failed. No retries permitted until 2025-03-04 08:12:59 +0000 UTC (durationBeforeRetry 2m2s). Error: MountVolume.SetUp failed for volume "data" (UniqueName: "kubernetes.io/host-path/5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11-data") pod "agent-x7k2p" (UID: "5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11") : hostPath type check failed: /srv/data is not a directory\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'made since, the container was started': {
      evidence: {
        'describe.txt': `${describe(socket)}  Normal   Pulled       9s  kubelet  Container image "registry.example/agent:3" already present on machine\n  Normal   Started      8s  kubelet  Started container agent\n`,
      },
      by: 'started',
    },
  },
  asks: {
    'the description of the pod': {
      evidence: {
        'events.txt': `$ kubectl -n ops get events\nLAST SEEN   TYPE      REASON        OBJECT            MESSAGE\n58s         Warning   FailedMount   pod/agent-x7k2p   MountVolume.SetUp failed for volume "sock" : hostPath type check failed: ${socket}\n`,
      },
      for: 'pod-spec',
    },
  },
});
