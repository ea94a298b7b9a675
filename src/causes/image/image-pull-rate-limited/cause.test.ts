import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  5m                 default-scheduler  Successfully assigned web/front-84b6c7d9f-p9x2v to oak-7
  Warning  Failed     3m (x4 over 5m)    kubelet            Failed to pull image "nginx:1.27": ${message}
  Warning  Failed     3m (x4 over 5m)    kubelet            Error: ErrImagePull
  Normal   BackOff    5s (x21 over 5m)   kubelet            Back-off pulling image "nginx:1.27"
`;
const hub =
  'toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating and upgrading: https://www.docker.com/increase-rate-limit';
const containerd = `failed to pull and unpack image "docker.io/library/nginx:1.27": failed to copy: httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/library/nginx/manifests/sha256:0d1e: 429 Too Many Requests - Server message: ${hub}`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'node oak-7',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const pods = (state: string) => `NAMESPACE   NAME                    READY   STATUS    RESTARTS   AGE   IP       NODE
web         front-84b6c7d9f-p9x2v   ${state}   0          7m    <none>   oak-7
web         mail-6d5c8b7f9-z8k4w    ${state}   0          7m    <none>   oak-7
`;

testCause(cause, {
  finds: {
    containerd: found(containerd),
    'containerd, at the manifest': found(
      'failed to pull and unpack image "docker.io/library/nginx:1.27": failed to resolve reference "docker.io/library/nginx:1.27": unexpected status from HEAD request to https://registry-1.docker.io/v2/library/nginx/manifests/1.27: 429 Too Many Requests',
    ),
    Docker: found(`rpc error: code = Unknown desc = Error response from daemon: ${hub}`),
    'CRI-O': found(
      'rpc error: code = Unknown desc = reading manifest 1.27 in docker.io/library/nginx: toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit',
    ),
    'another pod of the node': {
      evidence: { 'pods.txt': pods('0/1     ImagePullBackOff'), 'events.txt': events(containerd) },
      confidence: 'certain',
      place: 'node oak-7',
      victims: 2,
    },
  },
  rulesOut: {
    "the kubelet's own limit": { evidence: { 'events.txt': events('pull QPS exceeded') }, by: 'own' },
    'another answer': {
      evidence: { 'events.txt': events('reading manifest 1.27 in docker.io/library/nginx: manifest unknown') },
      by: 'other',
    },
    'over by now': {
      evidence: {
        'pods.txt': pods('1/1     Running'),
        'events.txt': `${events(containerd)}  Normal   Pulled     2s                 kubelet            Successfully pulled image "nginx:1.27" in 3.1s\n  Normal   Started    1s                 kubelet            Started container front\n`,
      },
      by: 'stuck',
    },
    'the pause image': {
      evidence: {
        'events.txt': events('').replace(
          /Warning {2}Failed {5}3m .*Failed to pull.*/,
          `Warning  FailedCreatePodSandBox  3m (x4 over 5m)  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox image "docker.io/example/pause:3.9": failed to pull image "docker.io/example/pause:3.9": ${hub}`,
        ),
      },
      by: 'sandbox',
    },
  },
  asks: { 'a listing alone': { evidence: { 'pods.txt': pods('0/1     ImagePullBackOff') }, for: 'pod-events' } },
});
