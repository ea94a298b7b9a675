import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const IMAGE = 'registry.example.net/ml/trainer:9';
const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  5m                 default-scheduler  Successfully assigned ml/trainer-84b6c7d9f-p9x2v to bay-6
  Warning  Failed     3m (x4 over 5m)    kubelet            Failed to pull image "${IMAGE}": ${message}
  Warning  Failed     3m (x4 over 5m)    kubelet            Error: ErrImagePull
  Normal   BackOff    5s (x21 over 5m)   kubelet            Back-off pulling image "${IMAGE}"
`;
const extract = `failed to pull and unpack image "${IMAGE}": failed to extract layer sha256:0d1e: write /var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/91/fs/opt/model.bin: no space left on device: unknown`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'node bay-6',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const pods = (state: string) => `NAMESPACE   NAME                      READY   STATUS    RESTARTS   AGE   IP       NODE
ml          trainer-84b6c7d9f-p9x2v   ${state}   0          7m    <none>   bay-6
`;

testCause(cause, {
  finds: {
    'containerd, unpacking': found(extract),
    'containerd, a new wording': found(
      `failed to pull and unpack image "${IMAGE}": failed to extract layer (application/vnd.oci.image.layer.v1.tar+gzip sha256:0d1e) to overlayfs as "extract-161 sha256:77aa": mount callback failed on /var/lib/containerd/tmpmounts/containerd-mount1: write /var/lib/containerd/tmpmounts/containerd-mount1/opt/model.bin: no space left on device`,
    ),
    'containerd, downloading': found(
      `failed to pull and unpack image "${IMAGE}": failed to copy: failed to send write: write /var/lib/containerd/io.containerd.content.v1.content/ingest/5f/data: no space left on device: unknown`,
    ),
    Docker: found(
      'rpc error: code = Unknown desc = failed to register layer: Error processing tar file(exit status 1): write /opt/model.bin: no space left on device',
    ),
    'CRI-O': found(
      'rpc error: code = Unknown desc = writing blob: adding layer with blob "sha256:0d1e": processing tar file(write /opt/model.bin: no space left on device): exit status 1',
    ),
    'the node says so too': {
      evidence: {
        'events.txt': events(extract),
        'node.json': JSON.stringify({
          apiVersion: 'v1',
          kind: 'Node',
          metadata: { name: 'bay-6' },
          status: {
            conditions: [
              { type: 'DiskPressure', status: 'True', reason: 'KubeletHasDiskPressure' },
              { type: 'Ready', status: 'True', reason: 'KubeletReady' },
            ],
          },
        }),
      },
      confidence: 'certain',
      place: 'node bay-6',
    },
  },
  rulesOut: {
    'room was made': {
      evidence: {
        'pods.txt': pods('1/1     Running'),
        'events.txt': `${events(extract)}  Normal   Pulled     2s                 kubelet            Successfully pulled image "${IMAGE}" in 3.1s\n  Normal   Started    1s                 kubelet            Started container trainer\n`,
      },
      by: 'stuck',
    },
    'the sandbox cannot be made': {
      evidence: {
        'pods.txt': pods('0/1     ImagePullBackOff'),
        'events.txt': events('').replace(
          /Failed {5}3m .*Failed to pull.*/,
          'FailedCreatePodSandBox  3m (x4 over 5m)  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: mkdir /run/containerd/io.containerd.runtime.v2.task/k8s.io/1f: no space left on device',
        ),
      },
      by: 'sandbox',
    },
    'refused before any download': {
      evidence: { 'events.txt': events(`failed to resolve reference "${IMAGE}": pull access denied`) },
      by: 'other',
    },
  },
  asks: { 'a listing alone': { evidence: { 'pods.txt': pods('0/1     ImagePullBackOff') }, for: 'pod-events' } },
});
