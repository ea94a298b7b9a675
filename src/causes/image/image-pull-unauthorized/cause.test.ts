import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const IMAGE = 'registry.example.net/core/engine:1.4';
const events = (message: string, image = IMAGE) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  5m                 default-scheduler  Successfully assigned core/engine-84b6c7d9f-p9x2v to elm-2
  Warning  Failed     3m (x4 over 5m)    kubelet            Failed to pull image "${image}": ${message}
  Warning  Failed     3m (x4 over 5m)    kubelet            Error: ErrImagePull
  Normal   BackOff    5s (x21 over 5m)   kubelet            Back-off pulling image "${image}"
`;
const resolve = `failed to pull and unpack image "${IMAGE}": failed to resolve reference "${IMAGE}": `;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'Deployment core/engine',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const running = `NAMESPACE   NAME                     READY   STATUS    RESTARTS   AGE
core        engine-84b6c7d9f-p9x2v   1/1     Running   0          7m
`;

testCause(cause, {
  finds: {
    'only the missing pull secret': {
      evidence: {
        'pods.txt': running.replace('1/1     Running', '0/1     ImagePullBackOff'),
        'events.txt': `Events:
  Type     Reason                           Age               From     Message
  ----     ------                           ----              ----     -------
  Warning  FailedToRetrieveImagePullSecret  9s (x9 over 5m)   kubelet  Unable to retrieve some image pull secrets (engine-login); attempting to pull the image may not succeed.
  Normal   BackOff                          5s (x21 over 5m)  kubelet  Back-off pulling image "${IMAGE}"
`,
      },
      confidence: 'possible',
    },
    'containerd, denied': found(
      `rpc error: code = Unknown desc = ${resolve}pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed`,
    ),
    'containerd, nothing sent': found(
      `${resolve}pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials`,
    ),
    'containerd, no anonymous token': found(
      `${resolve}failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://auth.example.net/token?scope=repository%3Acore%2Fengine%3Apull&service=registry.example.net: 401 Unauthorized`,
    ),
    'containerd, wrong password': found(
      `${resolve}failed to authorize: failed to fetch oauth token: unexpected status from POST request to https://auth.example.net/token: 401 Unauthorized`,
    ),
    'containerd, a policy': found(
      `${resolve}unexpected status from HEAD request to https://registry.example.net/v2/core/engine/manifests/1.4: 403 Forbidden`,
    ),
    'containerd 1.4': found(`rpc error: code = Unknown desc = ${resolve}unexpected status code [manifests 1.4]: 401 Unauthorized`),
    'Docker, nothing sent': found(
      'rpc error: code = Unknown desc = Error response from daemon: Get https://registry.example.net/v2/core/engine/manifests/1.4: no basic auth credentials',
    ),
    'Docker, denied': found(
      "rpc error: code = Unknown desc = Error response from daemon: pull access denied for registry.example.net/core/engine, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
    ),
    'Docker, an expired token': found(
      'rpc error: code = Unknown desc = Error response from daemon: denied: Your authorization token has expired. Reauthenticate and try again.',
    ),
    'CRI-O, Quay': found(
      'initializing source docker://registry.example.net/core/engine:1.4: reading manifest 1.4 in registry.example.net/core/engine: unauthorized: access to the requested resource is not authorized',
    ),
    'CRI-O, wrong password': found(
      'rpc error: code = Unknown desc = unable to retrieve auth token: invalid username/password: unauthorized: incorrect username or password',
    ),
  },
  rulesOut: {
    'an official image that is none': {
      evidence: {
        'events.txt': events(
          'failed to pull and unpack image "docker.io/library/engin:1": failed to resolve reference "docker.io/library/engin:1": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
          'engin:1',
        ),
      },
      by: 'official',
    },
    'let in, and not there': { evidence: { 'events.txt': events(`${resolve}${IMAGE}: not found`) }, by: 'unknown' },
    'mended since': {
      evidence: {
        'pods.txt': running,
        'events.txt': `${events(`${resolve}authorization failed: no basic auth credentials`)}  Normal   Pulled     2s                 kubelet            Successfully pulled image "${IMAGE}" in 3.1s\n  Normal   Started    1s                 kubelet            Started container engine\n`,
      },
      by: 'stuck',
    },
    'the pause image': {
      evidence: {
        'events.txt': events('').replace(
          /Warning {2}Failed {5}3m \(x4 over 5m\) {4}kubelet {12}Failed to pull.*/,
          'Warning  FailedCreatePodSandBox  3m (x4 over 5m)  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox image "registry.example.net/pause:3.9": failed to pull image "registry.example.net/pause:3.9": failed to authorize: failed to fetch anonymous token: unexpected status: 403 Forbidden',
        ),
      },
      by: 'sandbox',
    },
  },
  asks: {
    'a listing alone': { evidence: { 'pods.txt': running.replace('1/1     Running', '0/1     ImagePullBackOff') }, for: 'pod-events' },
  },
});
