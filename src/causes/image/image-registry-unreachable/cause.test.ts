import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const IMAGE = 'registry.example.net/base/tool:3';
const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  5m                 default-scheduler  Successfully assigned base/tool-84b6c7d9f-p9x2v to yew-5
  Warning  Failed     3m (x4 over 5m)    kubelet            Failed to pull image "${IMAGE}": ${message}
  Warning  Failed     3m (x4 over 5m)    kubelet            Error: ErrImagePull
  Normal   BackOff    5s (x21 over 5m)   kubelet            Back-off pulling image "${IMAGE}"
`;
const containerd = (tail: string) =>
  `failed to pull and unpack image "${IMAGE}": failed to resolve reference "${IMAGE}": failed to do request: Head "https://registry.example.net/v2/base/tool/manifests/3": ${tail}`;
const docker = (tail: string) =>
  `rpc error: code = Unknown desc = Error response from daemon: Get https://registry.example.net/v2/: ${tail}`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'node yew-5',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const pods = (state: string) => `NAMESPACE   NAME                   READY   STATUS    RESTARTS   AGE   IP       NODE
base        tool-84b6c7d9f-p9x2v   ${state}   0          7m    <none>   yew-5
`;

testCause(cause, {
  finds: {
    'no end in time': found('rpc error: code = DeadlineExceeded desc = context deadline exceeded'),
    'a timeout': found(containerd('dial tcp 198.51.100.7:443: i/o timeout')),
    refused: found(containerd('dial tcp 198.51.100.7:443: connect: connection refused')),
    'no route': found(containerd('dial tcp [2001:db8::7]:443: connect: network is unreachable')),
    'Docker, no answer': found(
      docker('net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)'),
    ),
    'Docker, TLS does not come about': found(docker('net/http: TLS handshake timeout')),
    'Docker, cut off': found(docker('EOF')),
    'a web page of a mirror': found(containerd('unexpected media type text/html for sha256:6a1c3f0e: not found')),
    'a web page, as Docker says it': found(
      docker("error parsing HTTP 403 response body: invalid character '<' looking for beginning of value"),
    ),
    'cut off in the middle': found(
      `failed to pull and unpack image "${IMAGE}": failed to copy: httpReadSeeker: failed open: failed to do request: Get "https://cdn.example.net/blob": read tcp 10.1.0.5:40112->198.51.100.7:443: read: connection reset by peer`,
    ),
    'a proxy out of reach': found(containerd('proxyconnect tcp: dial tcp 10.1.0.9:3128: connect: connection refused')),
    'a proxy that refuses': found(containerd('Forbidden')),
    'the registry is ill': found(
      `failed to resolve reference "${IMAGE}": unexpected status from HEAD request to https://registry.example.net/v2/base/tool/manifests/3: 503 Service Unavailable`,
    ),
    'CRI-O': found(
      'rpc error: code = Unknown desc = pinging container registry registry.example.net: Get "https://registry.example.net/v2/": dial tcp 198.51.100.7:443: connect: no route to host',
    ),
    "only the runtime's sigh": {
      evidence: {
        'pods.txt': pods('0/1     ImagePullBackOff'),
        'containerd.log': `Nov 02 10:11:12 yew-5 containerd[711]: time="2026-11-02T10:11:12.445104Z" level=error msg="cancel pulling image ${IMAGE} because of no progress in 5m0s"\n`,
      },
      confidence: 'possible',
      place: 'node yew-5',
    },
  },
  rulesOut: {
    'it may not be pulled at all': {
      evidence: {
        'events.txt': events('').replace(
          /Warning {2}Failed {5}3m .*Failed to pull.*/,
          `Warning  ErrImageNeverPull  3m (x4 over 5m)  kubelet  Container image "${IMAGE}" is not present with pull policy of Never`,
        ),
      },
      by: 'notTried',
    },
    'the registry answers': {
      evidence: { 'events.txt': events(`failed to resolve reference "${IMAGE}": ${IMAGE}: not found`) },
      by: 'answered',
    },
    'a certificate nobody knows': {
      evidence: { 'events.txt': events(containerd('tls: failed to verify certificate: x509: certificate signed by unknown authority')) },
      by: 'untrusted',
    },
    'a name without an address': {
      evidence: { 'events.txt': events(containerd('dial tcp: lookup registry.example.net on 10.1.0.53:53: no such host')) },
      by: 'unresolved',
    },
    'over by now': {
      evidence: {
        'pods.txt': pods('1/1     Running'),
        'events.txt': `${events(containerd('dial tcp 198.51.100.7:443: i/o timeout'))}  Normal   Pulled     2s                 kubelet            Successfully pulled image "${IMAGE}" in 3.1s\n  Normal   Started    1s                 kubelet            Started container tool\n`,
      },
      by: 'stuck',
    },
    'the pause image': {
      evidence: {
        'events.txt': events('').replace(
          /Warning {2}Failed {5}3m .*Failed to pull.*/,
          'Warning  FailedCreatePodSandBox  3m (x4 over 5m)  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox image "registry.example.net/pause:3.9": failed to pull image "registry.example.net/pause:3.9": failed to do request: Head "https://registry.example.net/v2/pause/manifests/3.9": dial tcp 198.51.100.7:443: i/o timeout',
        ),
      },
      by: 'sandbox',
    },
  },
  asks: { 'a listing alone': { evidence: { 'pods.txt': pods('0/1     ImagePullBackOff') }, for: 'pod-events' } },
});
