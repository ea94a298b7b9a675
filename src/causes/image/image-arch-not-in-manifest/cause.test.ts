import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const IMAGE = 'registry.example.net/edge/sensor:5';
const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  5m                 default-scheduler  Successfully assigned edge/sensor-84b6c7d9f-p9x2v to arm-1
  Warning  Failed     3m (x4 over 5m)    kubelet            Failed to pull image "${IMAGE}": ${message}
  Warning  Failed     3m (x4 over 5m)    kubelet            Error: ErrImagePull
  Normal   BackOff    5s (x21 over 5m)   kubelet            Back-off pulling image "${IMAGE}"
`;
const containerd = `failed to pull and unpack image "${IMAGE}": no match for platform in manifest: not found`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'Deployment edge/sensor',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const pods = (state: string) => `NAMESPACE   NAME                     READY   STATUS    RESTARTS   AGE
edge        sensor-84b6c7d9f-p9x2v   ${state}   0          7m
`;

testCause(cause, {
  finds: {
    containerd: found(`rpc error: code = NotFound desc = ${containerd}`),
    'containerd, with a digest': found(
      `failed to pull and unpack image "${IMAGE}": no match for platform in manifest sha256:0d1e: not found`,
    ),
    Docker: found('rpc error: code = Unknown desc = no matching manifest for linux/arm64/v8 in the manifest list entries'),
    'CRI-O': found(
      'rpc error: code = Unknown desc = choosing an image from manifest list docker://registry.example.net/edge/sensor:5: no image found in manifest list for architecture "arm64", variant "v8", OS "linux"',
    ),
    'an image for another system': found(
      'rpc error: code = Unknown desc = image operating system "windows" cannot be used on this platform',
    ),
  },
  rulesOut: {
    'another Windows version': {
      evidence: {
        'events.txt': events(
          'rpc error: code = Unknown desc = no matching manifest for windows/amd64 10.0.17763 in the manifest list entries',
        ),
      },
      by: 'windows',
    },
    'no such image at all': {
      evidence: { 'events.txt': events(`failed to resolve reference "${IMAGE}": ${IMAGE}: not found`) },
      by: 'notFound',
    },
    'mended since': {
      evidence: {
        'pods.txt': pods('1/1     Running'),
        'events.txt': `${events(containerd)}  Normal   Pulled     2s                 kubelet            Successfully pulled image "${IMAGE}" in 3.1s\n  Normal   Started    1s                 kubelet            Started container sensor\n`,
      },
      by: 'stuck',
    },
  },
  asks: { 'a listing alone': { evidence: { 'pods.txt': pods('0/1     ImagePullBackOff') }, for: 'pod-events' } },
});
