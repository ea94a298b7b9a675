import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                From               Message
  ----     ------                  ----               ----               -------
  Normal   Scheduled               5m                 default-scheduler  Successfully assigned web/front-84b6c7d9f-p9x2v to pine-2
  Warning  FailedCreatePodSandBox  9s (x11 over 5m)   kubelet            ${message}
`;
const containerd =
  'Failed to create pod sandbox: rpc error: code = DeadlineExceeded desc = failed to get sandbox image "registry.k8s.io/pause:3.8": failed to pull image "registry.k8s.io/pause:3.8": failed to pull and unpack image "registry.k8s.io/pause:3.8": failed to resolve reference "registry.k8s.io/pause:3.8": failed to do request: Head "https://registry.k8s.io/v2/pause/manifests/3.8": dial tcp 203.0.113.9:443: i/o timeout';
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'node pine-2',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const pods = (state: string) => `NAMESPACE     NAME                    READY   STATUS    RESTARTS   AGE   IP       NODE
web           front-84b6c7d9f-p9x2v   ${state}   0          7m    <none>   pine-2
kube-system   kube-proxy-v8k2x        ${state}   0          7m    <none>   pine-2
`;

testCause(cause, {
  finds: {
    'a registry that wants a login, asked by Docker': found(
      'Failed create pod sandbox: rpc error: code = Unknown desc = Error response from daemon: Get https://555500001111.dkr.ecr.eu-west-1.amazonaws.com/v2/eks/pause-amd64/manifests/3.1: no basic auth credentials',
    ),
    'an image that is only on the machine': found(
      'Failed to create pod sandbox: rpc error: code = NotFound desc = failed to start sandbox "7c1e": failed to get sandbox image "localhost/kubernetes/pause": image "localhost/kubernetes/pause": not found',
    ),
    containerd: found(containerd),
    'containerd, the name is not resolved': found(
      containerd.replace('dial tcp 203.0.113.9:443: i/o timeout', 'dial tcp: lookup registry.k8s.io on 10.2.0.2:53: no such host'),
    ),
    'every pod of the node': {
      evidence: { 'pods.txt': pods('0/1     ContainerCreating'), 'events.txt': events(containerd) },
      confidence: 'certain',
      place: 'node pine-2',
      victims: 2,
    },
    "Docker's adapter": found(
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed pulling image "k8s.gcr.io/pause:3.6": Error response from daemon: Get "https://k8s.gcr.io/v2/": net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)',
    ),
    'CRI-O': found(
      'Failed to create pod sandbox: rpc error: code = Unknown desc = error creating pod sandbox with name "k8s_front_web_0b7e_0": initializing source docker://registry.k8s.io/pause:3.9: pinging container registry registry.k8s.io: Get "https://registry.k8s.io/v2/": dial tcp 203.0.113.9:443: connect: connection refused',
    ),
    "the kubelet's journal": {
      evidence: {
        'pods.txt': pods('0/1     ContainerCreating'),
        'kubelet.log': `Nov 02 08:01:12 pine-2 kubelet[911]: E1102 08:01:12.447705     911 kuberuntime_sandbox.go:72] "Failed to create sandbox for pod" err="rpc error: code = Unknown desc = failed to get sandbox image \\"registry.k8s.io/pause:3.8\\": failed to pull image \\"registry.k8s.io/pause:3.8\\": failed to resolve reference: connection refused" pod="web/front-84b6c7d9f-p9x2v"\n`,
      },
      confidence: 'certain',
      place: 'node pine-2',
      cites: ['kubelet.log:1'],
    },
  },
  rulesOut: {
    'imported since': {
      evidence: {
        'pods.txt': pods('1/1     Running'),
        'events.txt': `${events(containerd)}  Normal   Pulled                  2s                 kubelet            Container image "nginx:1.27" already present on machine\n  Normal   Started                 1s                 kubelet            Started container front\n`,
      },
      by: 'stuck',
    },
    'waits for a volume': {
      evidence: {
        'events.txt': events('').replace(
          /FailedCreatePodSandBox.*/,
          'FailedMount  9s (x11 over 5m)  kubelet  MountVolume.SetUp failed for volume "conf" : configmap "front" not found',
        ),
      },
      by: 'volumes',
    },
    'a layer that Windows cannot unpack': {
      evidence: {
        'events.txt': events(
          'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox image "registry.k8s.io/pause:3.9": hcsshim::ImportLayer failed in Win32: The system cannot find the path specified. (0x3)',
        ),
      },
      by: 'windowsLayer',
    },
    'the network plugin': {
      evidence: {
        'events.txt': events(
          'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0b7e": plugin type="bridge" failed (add): no IP addresses available in range',
        ),
      },
      by: 'network',
    },
  },
  asks: { 'a listing alone': { evidence: { 'pods.txt': pods('0/1     ContainerCreating') }, for: 'pod-events' } },
});
