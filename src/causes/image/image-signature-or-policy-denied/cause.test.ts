import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const IMAGE = 'registry.example.net/bank/ledger:7';
const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  5m                 default-scheduler  Successfully assigned bank/ledger-0 to oak-2
  Warning  Failed     3m (x4 over 5m)    kubelet            Failed to pull image "${IMAGE}": ${message}
  Normal   BackOff    5s (x21 over 5m)   kubelet            Back-off pulling image "${IMAGE}"
`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'StatefulSet bank/ledger',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const rejected = 'rpc error: code = Unknown desc = Source image rejected: A signature was required, but no signature exists';

testCause(cause, {
  finds: {
    'CRI-O, no signature': found(rejected),
    'CRI-O, refused by policy': found(
      `rpc error: code = Unknown desc = Source image rejected: Running image docker://${IMAGE} is rejected by policy.`,
    ),
    'the wording of the kubelet': found(
      `image pull failed for ${IMAGE} because the signature validation failed: Source image rejected: cryptographic signature verification failed: invalid signature when validating ASN.1 encoded signature`,
    ),
    'containerd 2': found(
      `failed to pull and unpack image "${IMAGE}": image verifier bindir blocked pull of ${IMAGE} with digest sha256:77aa for reason: verifier cosign rejected image (exit code 1)`,
    ),
    'no policy file': found('rpc error: code = Unknown desc = open /etc/containers/policy.json: no such file or directory'),
    'by its state': {
      evidence: {
        'describe.txt': `Name:             ledger-0
Namespace:        bank
Node:             oak-2/10.0.0.5
Controlled By:    StatefulSet/ledger
Containers:
  ledger:
    Image:          ${IMAGE}
    State:          Waiting
      Reason:       SignatureValidationFailed
    Ready:          False
    Restart Count:  0
`,
      },
      confidence: 'certain',
      place: 'StatefulSet bank/ledger',
    },
  },
  rulesOut: { 'no such image': { evidence: { 'events.txt': events(`${rejected}; manifest unknown`) }, by: 'otherAnswer' } },
  asks: { 'the state of the container': { evidence: { 'line.txt': `${rejected}\n` }, for: 'container.waiting' } },
});
