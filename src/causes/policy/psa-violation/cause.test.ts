import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const message =
  'pods "ledger-7f9c6b5d48-" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "ledger" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "ledger" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "ledger" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "ledger" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")';
const describe = (text: string) => `$ kubectl -n books describe replicaset ledger-7f9c6b5d48
Name:           ledger-7f9c6b5d48
Namespace:      books
Controlled By:  Deployment/ledger
Replicas:       0 current / 3 desired
Pods Status:    0 Running / 0 Waiting / 0 Succeeded / 0 Failed
Events:
  Type     Reason        Age                 From                   Message
  ----     ------        ----                ----                   -------
  Warning  FailedCreate  12s (x15 over 93s)  replicaset-controller  Error creating: ${text}
`;
const warning =
  'Warning: would violate PodSecurity "baseline:v1.30": host namespaces (hostNetwork=true), hostPath volumes (volume "logs")\ndeployment.apps/shipper configured\n';

testCause(cause, {
  finds: {
    'events of the replica set': {
      evidence: { 'describe.txt': describe(message) },
      confidence: 'certain',
      place: 'Deployment books/ledger',
      cites: ['describe.txt:10'],
      victims: 1,
    },
    'what kubectl answers, alone': { evidence: { 'terminal.txt': `Error from server (Forbidden): ${message}\n` }, confidence: 'certain' },
    'the condition of the deployment, quotes escaped': {
      evidence: {
        'status.json': `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"agent","namespace":"ops"},"spec":{"replicas":1},"status":{"conditions":[{"type":"ReplicaFailure","status":"True","reason":"FailedCreate","message":"pods \\"agent-5d9c7b6f48-\\" is forbidden: violates PodSecurity \\"baseline:latest\\": privileged (container \\"agent\\" must not set securityContext.privileged=true), hostPath volumes (volume \\"root\\")"}]}}`,
      },
      confidence: 'certain',
      place: 'Deployment ops/agent',
    },
    'warned first, then refused': {
      evidence: { 'terminal.txt': warning, 'describe.txt': describe(message) },
      confidence: 'certain',
    },
  },
  rulesOut: { 'only a warning': { evidence: { 'terminal.txt': warning }, by: 'refused' } },
  asks: {
    'what was printed when it was applied': {
      evidence: { 'terminal.txt': `Error from server (Forbidden): ${message}\n` },
      for: 'workload',
    },
  },
});
