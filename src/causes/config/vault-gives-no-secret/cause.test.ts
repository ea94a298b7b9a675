import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (row: string) => `$ kubectl -n shop get pods
NAME                     READY   STATUS     RESTARTS   AGE
front-6d5c4b3a29-k8m7n   ${row}
`;
const WAITING = '0/2     Init:0/1   0          9m';
const log = (words: string) => `$ kubectl -n shop logs front-6d5c4b3a29-k8m7n -c vault-agent-init\n${words}\n`;
const found = (words: string, confidence: 'certain' | 'probable' | 'possible' = 'certain') => ({
  evidence: { 'pods.txt': pods(WAITING), 'agent.log': log(words) },
  confidence,
});
const refused = `2026-03-04T08:10:57.319Z [ERROR] agent.auth.handler: error authenticating:
  error=
  | Error making API request.
  |
  | URL: PUT https://vault.example:8200/v1/auth/kubernetes/login
  | Code: 403. Errors:
  |
  | * permission denied
   backoff=2.44s`;

testCause(cause, {
  finds: {
    'a login that is refused': found(refused),
    'a login that is refused, as older agents write it': found(
      '2026-03-04T08:10:57.319Z [ERROR] auth.handler: error authenticating: error="Error making API request.\n\nURL: PUT https://vault.example:8200/v1/auth/kubernetes/login\nCode: 403. Errors:\n\n* permission denied" backoff=2.443417',
    ),
    'a role for other namespaces': found(
      '2026-03-04T08:10:57.319Z [ERROR] auth.handler: error authenticating: error="* namespace not authorized" backoff=2.4',
      'possible',
    ),
    'only the request': found('URL: PUT https://vault.example:8200/v1/auth/kubernetes/login', 'possible'),
    'a policy that does not allow it': found(
      '2026-03-04T08:10:57.319Z [WARN] (view) vault.read(secret/data/front): Error making API request. URL: GET https://vault.example:8200/v1/secret/data/front Code: 403. Errors: * permission denied (retry attempt 3 after "1s")',
    ),
    'a path with nothing': found(
      '2026-03-04T08:10:57.319Z [WARN] (view) vault.read(secret/front): no secret exists at secret/front (retry attempt 1 after "250ms")',
    ),
  },
  rulesOut: {
    'a Vault that is not open': {
      evidence: {
        'pods.txt': pods(WAITING),
        'agent.log': log(`${refused}\n2026-03-04T08:11:57.319Z [ERROR] auth.handler: error authenticating: error="* Vault is sealed"`),
      },
      by: 'sealed',
    },
    'it runs by now': { evidence: { 'pods.txt': pods('2/2     Running    0          9m'), 'agent.log': log(refused) }, by: 'well' },
    'the restarts are over': {
      evidence: { 'pods.txt': pods('2/2     Running    6 (30d ago)   90d'), 'agent.log': log(refused) },
      by: 'over',
    },
  },
  asks: { 'how the pod is doing': { evidence: { 'agent.log': log(refused) }, for: 'pod-status' } },
});
