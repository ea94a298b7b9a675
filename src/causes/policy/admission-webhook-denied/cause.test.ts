import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe = (message: string) => `$ kubectl -n books describe replicaset ledger-7f9c6b5d48
Name:           ledger-7f9c6b5d48
Namespace:      books
Controlled By:  Deployment/ledger
Replicas:       0 current / 3 desired
Pods Status:    0 Running / 0 Waiting / 0 Succeeded / 0 Failed
Events:
  Type     Reason        Age                 From                   Message
  ----     ------        ----                ----                   -------
  Warning  FailedCreate  12s (x15 over 93s)  replicaset-controller  Error creating: ${message}
`;
const gatekeeper = 'admission webhook "validation.gatekeeper.sh" denied the request: [must-have-owner] you must provide labels: {"owner"}';
const typed = `$ kubectl create deployment ledger --image=ledger
error: failed to create deployment: admission webhook "validating.policy.example" denied the request:

resource Deployment/books/ledger was blocked due to the following policies

require-tag:
  autogen-require-tag: 'Validation error: An image tag is required; Validation rule autogen-require-tag failed at path /spec/template/spec/containers/0/image/'
`;
const kyverno = `Mar 04 08:10:57 cp-1 argocd[811]: time="2025-03-04T08:10:57Z" level=error msg="admission webhook \\"validate.kyverno.svc-fail\\" denied the request: \\n\\nresource Deployment/books/ledger was blocked due to the following policies \\n\\nrequire-requests:\\n  autogen-check: 'validation error: CPU and memory requests are required.'\\n"
`;

testCause(cause, {
  finds: {
    'Kyverno, its rules on lines of their own': {
      evidence: {
        'terminal.txt': `Error from server: error when creating "ledger.yaml": admission webhook "validate.kyverno.svc-fail" denied the request:

policy Pod/books/ledger for resource violation:

need-limits:
  check-limits: 'validation error: memory limits are required. rule check-limits failed at path /spec/containers/0/resources/limits/'
`,
      },
      confidence: 'certain',
    },
    'Gatekeeper, events of the replica set': {
      evidence: { 'describe.txt': describe(gatekeeper) },
      confidence: 'certain',
      place: 'Deployment books/ledger',
      cites: ['describe.txt:10'],
      victims: 1,
    },
    'Kyverno, as a deployer tells it': { evidence: { 'argocd.log': kyverno }, confidence: 'certain', cites: ['argocd.log:1'] },
    'one line alone': { evidence: { 'paste.txt': `Error: ${gatekeeper}\n` }, confidence: 'certain' },
    'an event of Kyverno': {
      evidence: {
        'events.txt':
          'LAST SEEN   TYPE      REASON            OBJECT                           MESSAGE\n31s         Warning   PolicyViolation   clusterpolicy/require-requests   Deployment books/ledger: [autogen-check] fail (blocked); validation error: CPU and memory requests are required.\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a policy that only audits': {
      evidence: {
        'events.txt': `${describe(gatekeeper)}  Warning  PolicyViolation  12s  kyverno-admission  policy require-requests/check fail: PolicyViolation Deployment books/ledger: [check] fail; validation error: CPU requests are required (audit)\n`,
      },
      by: 'auditOnly',
    },
  },
  asks: {
    'the events of its controller': {
      evidence: { 'paste.txt': `Error: ${gatekeeper}\n` },
      for: 'object-events',
    },
  },
});

it('tells the rule that stands on a line of its own', async () => {
  const { incidents } = await diagnose([{ name: 'terminal.txt', text: typed }], { causes: [cause] });
  expect(incidents[0]?.title).toContain('An image tag is required');
});
