import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.SetUp failed for volume "data" : ${message}
`;
const store = (words: string) =>
  events(`rpc error: code = Unknown desc = failed to mount secrets store objects for pod shop/ledger-0, err: ${words}`);
const found = (text: string) => ({ evidence: { 'describe.txt': text }, confidence: 'certain' as const });
const provider = store('error connecting to provider "aws": provider not found: provider "aws"');

testCause(cause, {
  finds: {
    'no provider on the node': { ...found(provider), place: 'StatefulSet shop/ledger', cites: ['describe.txt:5'] },
    'no class': found(
      events(
        'rpc error: code = Unknown desc = failed to get secretproviderclass shop/ledger-keys, error: SecretProviderClass.secrets-store.csi.x-k8s.io "ledger-keys" not found',
      ),
    ),
    'no such secret': found(
      store(
        'rpc error: code = Unknown desc = failed to mount objects, error: failed to get objectType:secret, objectName:db-pass, objectVersion:: RESPONSE 404: 404 Not Found ERROR CODE: SecretNotFound',
      ),
    ),
    'not let in': found(
      store(
        `rpc error: code = Unknown desc = error making mount request: couldn't read secret "pw": failed to login: Error making API request. URL: POST https://vault.example/v1/auth/kubernetes/login Code: 403. Errors: * permission denied`,
      ),
    ),
    'something else': {
      evidence: { 'describe.txt': store('rpc error: code = DeadlineExceeded desc = context deadline exceeded') },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'started since': {
      evidence: { 'describe.txt': `${provider}  Normal   Started      1s                kubelet            Started container ledger\n` },
      by: 'started',
    },
  },
  asks: {
    'the events of the pod': {
      evidence: { 'note.txt': 'failed to mount secrets store objects for pod shop/ledger-0, err: context deadline exceeded\n' },
      for: 'pod-events',
    },
  },
});
