import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (reason: string, message: string) => `Events:
  Type     Reason         Age               From               Message
  ----     ------         ----              ----               -------
  Normal   Scheduled      5m                default-scheduler  Successfully assigned dev/relay-84b6c7d9f-p9x2v to gum-1
  Warning  ${reason.padEnd(13)}  9s (x9 over 5m)   kubelet            ${message}
  Warning  Failed         9s (x9 over 5m)   kubelet            Error: InvalidImageName
`;
const upper = events(
  'InspectFailed',
  `Failed to apply default image tag "registry.example.net/Dev/Relay:1": couldn't parse image name "registry.example.net/Dev/Relay:1": invalid reference format: repository name must be lowercase`,
);
const pods = (state: string) => `NAMESPACE   NAME                    READY   STATUS    RESTARTS   AGE
dev         relay-84b6c7d9f-p9x2v   ${state}   0          7m
`;

testCause(cause, {
  finds: {
    'a short name that several registries could mean': {
      evidence: {
        'events.txt': events(
          'InspectFailed',
          'Failed to inspect image "": rpc error: code = Unknown desc = short name mode is enforcing, but image name oak/front:2.1 returns ambiguous list',
        ),
      },
      confidence: 'certain',
    },
    capitals: {
      evidence: { 'events.txt': upper },
      confidence: 'certain',
      place: 'Deployment dev/relay',
      cites: ['events.txt:5'],
      victims: 1,
    },
    'an older kubelet, an address in front': {
      evidence: {
        'events.txt': events(
          'InspectFailed',
          `Failed to apply default image tag "https://registry.example.net/relay": couldn't parse image reference "https://registry.example.net/relay": invalid reference format`,
        ),
      },
      confidence: 'certain',
    },
    'the listing alone': {
      evidence: { 'pods.txt': pods('0/1     InvalidImageName') },
      confidence: 'certain',
      place: 'Deployment dev/relay',
      cites: ['pods.txt:2'],
    },
    'a description without events': {
      evidence: {
        'describe.txt': `Name:             relay-84b6c7d9f-p9x2v
Namespace:        dev
Node:             gum-1/10.8.0.4
Status:           Pending
Controlled By:    ReplicaSet/relay-84b6c7d9f
Containers:
  relay:
    Image:          registry.example.net/relay:
    State:          Waiting
      Reason:       InvalidImageName
    Ready:          False
    Restart Count:  0
Events:             <none>
`,
      },
      confidence: 'certain',
      place: 'Deployment dev/relay',
    },
    'CRI-O, no registry to look in': {
      evidence: {
        'events.txt': events(
          'Failed',
          'Failed to pull image "relay:1": rpc error: code = Unknown desc = short-name "relay:1" did not resolve to an alias and no unqualified-search registries are defined in "/etc/containers/registries.conf"',
        ).replace('InvalidImageName', 'ErrImagePull'),
      },
      confidence: 'certain',
    },
    'CRI-O, several registries': {
      evidence: {
        'events.txt': events(
          'Failed',
          'Failed to pull image "relay:1": short name mode is enforcing, but image name relay:1 returns ambiguous list',
        ).replace('InvalidImageName', 'ErrImagePull'),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'mended since': { evidence: { 'pods.txt': pods('1/1     Running'), 'events.txt': upper }, by: 'stuck' },
    'a registry was asked': {
      evidence: {
        'pods.txt': pods('0/1     ErrImagePull'),
        'events.txt': events(
          'Failed',
          'Failed to pull image "relay:1": rpc error: code = Unknown desc = Error response from daemon: pull access denied for relay',
        ).replace('InvalidImageName', 'ErrImagePull'),
      },
      by: 'pull',
    },
  },
  asks: { 'which name': { evidence: { 'pods.txt': pods('0/1     InvalidImageName') }, for: 'pod-events' } },
});
