import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string, image = 'registry.example.net/shop/cart:2.7') => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  5m                 default-scheduler  Successfully assigned shop/cart-84b6c7d9f-p9x2v to ash-2
  Normal   Pulling    3m (x4 over 5m)    kubelet            Pulling image "${image}"
  Warning  Failed     3m (x4 over 5m)    kubelet            Failed to pull image "${image}": ${message}
  Warning  Failed     3m (x4 over 5m)    kubelet            Error: ErrImagePull
  Normal   BackOff    5s (x21 over 5m)   kubelet            Back-off pulling image "${image}"
`;
const containerd =
  'rpc error: code = NotFound desc = failed to pull and unpack image "registry.example.net/shop/cart:2.7": failed to resolve reference "registry.example.net/shop/cart:2.7": registry.example.net/shop/cart:2.7: not found';
const found = (message: string, image?: string) =>
  ({
    evidence: { 'events.txt': events(message, image) },
    confidence: 'certain',
    place: 'Deployment shop/cart',
    cites: ['events.txt:6'],
    victims: 1,
  }) as const;

const running = `NAMESPACE   NAME                   READY   STATUS    RESTARTS   AGE
shop        cart-84b6c7d9f-p9x2v   1/1     Running   0          7m
`;
const pulled = `  Normal   Pulled     2s                 kubelet            Successfully pulled image "registry.example.net/shop/cart:2.7" in 3.1s
  Normal   Created    1s                 kubelet            Created container cart
  Normal   Started    1s                 kubelet            Started container cart
`;

testCause(cause, {
  finds: {
    containerd: found(containerd),
    'containerd 2': found(containerd.replace('rpc error: code = NotFound desc = ', '')),
    'containerd, a layer is gone': found(
      'failed to pull and unpack image "registry.example.net/shop/cart:2.7": failed to copy: httpReadSeeker: failed open: content at https://registry.example.net/v2/shop/cart/manifests/sha256:0d1e not found: not found',
    ),
    Docker: found(
      'rpc error: code = Unknown desc = Error response from daemon: manifest for registry.example.net/shop/cart:2.7 not found: manifest unknown: manifest unknown',
    ),
    'Docker, a repository of Amazon': found(
      "rpc error: code = Unknown desc = Error response from daemon: repository registry.example.net/shop/cart not found: name unknown: The repository with name 'shop/cart' does not exist in the registry with id '111122223333'",
    ),
    'Docker, an expired tag of Quay': found(
      'rpc error: code = Unknown desc = Error response from daemon: unknown: Tag 2.7 was deleted or has expired. To pull, revive via time machine',
    ),
    'Docker, Harbor': found('rpc error: code = Unknown desc = Error response from daemon: unknown: artifact shop/cart:2.7 not found'),
    'CRI-O': found(
      'rpc error: code = Unknown desc = reading manifest 2.7 in registry.example.net/shop/cart: manifest unknown: Failed to fetch "2.7"',
    ),
    'an official image that is none': found(
      'failed to pull and unpack image "docker.io/library/ngnix:latest": failed to resolve reference "docker.io/library/ngnix:latest": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
      'ngnix',
    ),
    'an official image that is none, Docker': found(
      "rpc error: code = Unknown desc = Error response from daemon: pull access denied for ngnix, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
      'ngnix',
    ),
    'the containerd journal and a listing': {
      evidence: {
        'pods.txt': running
          .replace('1/1     Running ', '0/1     ErrImagePull')
          .replace('AGE', 'AGE   IP       NODE')
          .replace('7m', '7m    <none>   ash-2'),
        'containerd.log': `Nov 02 10:11:12 ash-2 containerd[711]: time="2026-11-02T10:11:12.445104Z" level=error msg="PullImage \\"registry.example.net/shop/cart:2.7\\" failed" error="${containerd.replaceAll('"', '\\"')}"\n`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'mended since': { evidence: { 'pods.txt': running, 'events.txt': events(containerd) + pulled }, by: 'stuck' },
    'no variant for the architecture': {
      evidence: {
        'events.txt': events(
          'failed to pull and unpack image "registry.example.net/shop/cart:2.7": no match for platform in manifest: not found',
        ),
      },
      by: 'platform',
    },
    'the pause image': {
      evidence: {
        'events.txt': `Events:
  Type     Reason                  Age               From               Message
  ----     ------                  ----              ----               -------
  Normal   Scheduled               5m                default-scheduler  Successfully assigned shop/cart-84b6c7d9f-p9x2v to ash-2
  Warning  FailedCreatePodSandBox  9s (x9 over 5m)   kubelet            Failed to create pod sandbox: rpc error: code = NotFound desc = failed to get sandbox image "registry.example.net/pause:3.99": failed to pull image "registry.example.net/pause:3.99": failed to pull and unpack image "registry.example.net/pause:3.99": failed to resolve reference "registry.example.net/pause:3.99": registry.example.net/pause:3.99: not found
`,
      },
      by: 'sandbox',
    },
  },
  asks: {
    'a listing alone': { evidence: { 'pods.txt': running.replace('1/1     Running', '0/1     ImagePullBackOff') }, for: 'pod-events' },
  },
});

describe('image-not-found and probes', () => {
  it.each(['Liveness probe failed: HTTP probe failed with statuscode: 404'])('does not speak of: %s', async (text) => {
    const { incidents } = await diagnose([{ name: 'paste.txt', text: `${text}\n` }], { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });
});
