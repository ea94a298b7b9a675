import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (text: string) =>
  `LAST SEEN   TYPE      REASON         OBJECT                         MESSAGE\n31s         Warning   FailedCreate   replicaset/ledger-7f9c6b5d48   Error creating: ${text}\n`;
const registry =
  'admission webhook "validation.gatekeeper.sh" denied the request: [allowed-repos] container <ledger> has an invalid image repo <docker.io/acme/ledger:3>, allowed repos are ["registry.example/"]';

testCause(cause, {
  finds: {
    'a registry that is not on the list': {
      evidence: { 'events.txt': events(registry) },
      confidence: 'certain',
      cites: ['events.txt:2'],
      victims: 1,
    },
    'a missing signature': {
      evidence: {
        'terminal.txt':
          'Error from server (BadRequest): error when creating "pod.yaml": admission webhook "policy.sigstore.dev" denied the request: validation failed: failed policy: signed-only: spec.containers[0].image\nregistry.example/ledger@sha256:0f1e2d3c4b5a signature key validation failed for authority release for registry.example/ledger@sha256:0f1e2d3c4b5a: no matching signatures\n',
      },
      confidence: 'possible',
    },
    'Kyverno on one line': {
      evidence: {
        'events.txt': events(
          'admission webhook "mutate.kyverno.svc-fail" denied the request: resource Pod/books/ledger was blocked due to the following policies check-image: verify: failed to verify image registry.example/ledger:3: .attestors[0].entries[0].keys: no matching signatures',
        ),
      },
      confidence: 'certain',
    },
    'the ImagePolicyWebhook of the API server': {
      evidence: {
        'events.txt': events('pods "ledger-7f9c6b5d48-" is forbidden: image policy webhook backend denied one or more images: tag latest'),
      },
      confidence: 'certain',
    },
    AlwaysPullImages: {
      evidence: {
        'terminal.txt':
          'Error: Pod "ledger" invalid: spec.initContainers[0].imagePullPolicy: Unsupported value: "Never": supported values: "Always"\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'refused by the runtime of the node': {
      evidence: {
        'events.txt': `${events(registry)}9s          Warning   Failed         pod/ledger-7f9c6b5d48-t5w2x    Failed to pull image "registry.example/ledger:3": SignatureValidationFailed: image pull failed for registry.example/ledger:3 because the signature validation failed: Source image rejected: A signature was required, but no signature exists\n`,
      },
      by: 'node',
    },
  },
  asks: {
    'the events of the controller': {
      evidence: { 'paste.txt': 'image verification failed for registry.example/ledger:3: no matching signatures\n' },
      for: 'object-events',
    },
  },
});
