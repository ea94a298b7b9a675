import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const IMAGE = 'registry.example.net:5000/base/tool:3';
const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  5m                 default-scheduler  Successfully assigned base/tool-84b6c7d9f-p9x2v to ivy-1
  Warning  Failed     3m (x4 over 5m)    kubelet            Failed to pull image "${IMAGE}": ${message}
  Warning  Failed     3m (x4 over 5m)    kubelet            Error: ErrImagePull
  Normal   BackOff    5s (x21 over 5m)   kubelet            Back-off pulling image "${IMAGE}"
`;
const containerd = (tail: string) =>
  `failed to pull and unpack image "${IMAGE}": failed to resolve reference "${IMAGE}": failed to do request: Head "https://registry.example.net:5000/v2/base/tool/manifests/3": ${tail}`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'node ivy-1',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const unknownAuthority = containerd('tls: failed to verify certificate: x509: certificate signed by unknown authority');
const pods = (state: string) => `NAMESPACE   NAME                   READY   STATUS    RESTARTS   AGE   IP       NODE
base        tool-84b6c7d9f-p9x2v   ${state}   0          7m    <none>   ivy-1
`;

testCause(cause, {
  finds: {
    'a private CA': found(unknownAuthority),
    'an older containerd': found(`rpc error: code = Unknown desc = ${containerd('x509: certificate signed by unknown authority')}`),
    expired: found(
      containerd('x509: certificate has expired or is not yet valid: current time 2026-11-02T10:00:00Z is after 2026-10-01T00:00:00Z'),
    ),
    'another name': found(containerd('x509: certificate is valid for registry, localhost, not registry.example.net')),
    'an address': found(containerd("x509: cannot validate certificate for 10.2.0.8 because it doesn't contain any IP SANs")),
    'a client certificate is missing': found(containerd('remote error: tls: certificate required')),
    'plain HTTP': found(containerd('http: server gave HTTP response to HTTPS client')),
    Docker: found(
      'rpc error: code = Unknown desc = Error response from daemon: Get https://registry.example.net:5000/v2/: x509: certificate signed by unknown authority',
    ),
    'CRI-O': found(
      'rpc error: code = Unknown desc = pinging container registry registry.example.net:5000: Get "https://registry.example.net:5000/v2/": http: server gave HTTP response to HTTPS client',
    ),
    'the other side breaks off': found(containerd('remote error: tls: unrecognized name')),
  },
  rulesOut: {
    'the registry answers': {
      evidence: { 'events.txt': events(`failed to resolve reference "${IMAGE}": ${IMAGE}: not found`) },
      by: 'answered',
    },
    'mended since': {
      evidence: {
        'pods.txt': pods('1/1     Running'),
        'events.txt': `${events(unknownAuthority)}  Normal   Pulled     2s                 kubelet            Successfully pulled image "${IMAGE}" in 3.1s\n  Normal   Started    1s                 kubelet            Started container tool\n`,
      },
      by: 'stuck',
    },
    'the pause image': {
      evidence: {
        'events.txt': events('').replace(
          /Warning {2}Failed {5}3m .*Failed to pull.*/,
          'Warning  FailedCreatePodSandBox  3m (x4 over 5m)  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox image "registry.example.net/pause:3.9": failed to pull image "registry.example.net/pause:3.9": failed to do request: Head "https://registry.example.net/v2/pause/manifests/3.9": x509: certificate signed by unknown authority',
        ),
      },
      by: 'sandbox',
    },
  },
  asks: { 'a listing alone': { evidence: { 'pods.txt': pods('0/1     ImagePullBackOff') }, for: 'pod-events' } },
});
