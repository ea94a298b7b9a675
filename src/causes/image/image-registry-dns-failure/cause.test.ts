import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const IMAGE = 'registry.example.net/base/tool:3';
const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  5m                 default-scheduler  Successfully assigned base/tool-84b6c7d9f-p9x2v to fir-3
  Warning  Failed     3m (x4 over 5m)    kubelet            Failed to pull image "${IMAGE}": ${message}
  Warning  Failed     3m (x4 over 5m)    kubelet            Error: ErrImagePull
  Normal   BackOff    5s (x21 over 5m)   kubelet            Back-off pulling image "${IMAGE}"
`;
const containerd = (tail: string) =>
  `failed to pull and unpack image "${IMAGE}": failed to resolve reference "${IMAGE}": failed to do request: Head "https://registry.example.net/v2/base/tool/manifests/3": dial tcp: lookup registry.example.net${tail}`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'node fir-3',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const pods = (state: string) => `NAMESPACE   NAME                   READY   STATUS    RESTARTS   AGE   IP       NODE
base        tool-84b6c7d9f-p9x2v   ${state}   0          7m    <none>   fir-3
`;

testCause(cause, {
  finds: {
    'the node asks the DNS of the cluster': found(containerd(' on 10.233.0.3:53: read udp 10.9.0.31:37639->10.233.0.3:53: i/o timeout')),
    'no such host': found(containerd(' on 10.9.0.2:53: no such host')),
    'the resolver does not answer': found(
      `rpc error: code = Unknown desc = ${containerd(' on 10.9.0.2:53: read udp 10.9.0.31:37639->10.9.0.2:53: i/o timeout')}`,
    ),
    'the resolver misbehaves': found(containerd(' on 127.0.0.53:53: server misbehaving')),
    'no resolver on the node': found(containerd(' on [::1]:53: read udp [::1]:49152->[::1]:53: read: connection refused')),
    'the C library': found(containerd(': Temporary failure in name resolution')),
    Docker: found(
      'rpc error: code = Unknown desc = Error response from daemon: Get https://registry.example.net/v2/: dial tcp: lookup registry.example.net on 10.9.0.2:53: no such host',
    ),
    'CRI-O': found(
      'rpc error: code = Unknown desc = pinging container registry registry.example.net: Get "https://registry.example.net/v2/": dial tcp: lookup registry.example.net on 10.9.0.2:53: no such host',
    ),
    'another word for it': found('error pulling image: Could not resolve host: registry.example.net'),
    "the runtime's journal and a listing": {
      evidence: {
        'pods.txt': pods('0/1     ErrImagePull'),
        'containerd.log': `Nov 02 10:11:12 fir-3 containerd[711]: time="2026-11-02T10:11:12.445104Z" level=error msg="PullImage \\"${IMAGE}\\" failed" error="${containerd(': no such host').replaceAll('"', '\\"')}"\n`,
      },
      confidence: 'certain',
      place: 'node fir-3',
      cites: ['containerd.log:1'],
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
      by: 'reached',
    },
    'the registry does not accept connections': {
      evidence: {
        'events.txt': events(
          'failed to do request: Head "https://registry.example.net/v2/base/tool/manifests/3": dial tcp 10.9.4.4:443: connect: connection refused',
        ),
      },
      by: 'reached',
    },
    'over by now': {
      evidence: {
        'pods.txt': pods('1/1     Running'),
        'events.txt': `${events(containerd(': no such host'))}  Normal   Pulled     2s                 kubelet            Successfully pulled image "${IMAGE}" in 3.1s\n  Normal   Started    1s                 kubelet            Started container tool\n`,
      },
      by: 'stuck',
    },
    'the pause image': {
      evidence: {
        'events.txt': events('').replace(
          /Warning {2}Failed {5}3m .*Failed to pull.*/,
          'Warning  FailedCreatePodSandBox  3m (x4 over 5m)  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox image "registry.example.net/pause:3.9": failed to pull image "registry.example.net/pause:3.9": failed to do request: Head "https://registry.example.net/v2/pause/manifests/3.9": dial tcp: lookup registry.example.net: no such host',
        ),
      },
      by: 'sandbox',
    },
  },
  asks: { 'a listing alone': { evidence: { 'pods.txt': pods('0/1     ImagePullBackOff') }, for: 'pod-events' } },
});
