import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const message =
  'pods "ledger-7f9c6b5d48-" is forbidden: unable to validate against any security context constraint: [provider "anyuid": Forbidden: not usable by user or serviceaccount, provider restricted-v2: .containers[0].runAsUser: Invalid value: 999: must be in the ranges: [1000680000, 1000689999], provider "restricted": Forbidden: not usable by user or serviceaccount]';
const events = (text: string) =>
  `LAST SEEN   TYPE      REASON         OBJECT                         MESSAGE\n31s         Warning   FailedCreate   replicaset/ledger-7f9c6b5d48   Error creating: ${text}\n`;

testCause(cause, {
  finds: {
    'no policy at all': {
      evidence: { 'events.txt': events('pods "ledger-7f9c6b5d48-" is forbidden: no providers available to validate pod request') },
      confidence: 'certain',
    },
    OpenShift: { evidence: { 'events.txt': events(message) }, confidence: 'certain', cites: ['events.txt:2'], victims: 1 },
    'a status message, wrapped by YAML': {
      evidence: {
        'paste.txt':
          '    message: \'pods "ledger-7f9c6b5d48-" is forbidden: unable to validate against any\n      security context constraint: [provider restricted-v2: .spec.securityContext.fsGroup:\n      Invalid value: []int64{999}: 999 is not an allowed group]\'\n',
      },
      confidence: 'certain',
    },
    'PodSecurityPolicy of old': {
      evidence: { 'events.txt': events('pods "ledger-7f9c6b5d48-" is forbidden: PodSecurityPolicy: unable to admit pod: []') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'Pod Security Admission': {
      evidence: {
        'events.txt': `${events(message)}9s          Warning   FailedCreate   replicaset/ledger-7f9c6b5d48   Error creating: pods "ledger-7f9c6b5d48-" is forbidden: violates PodSecurity "baseline:latest": privileged (container "ledger" must not set securityContext.privileged=true)\n`,
      },
      by: 'standards',
    },
  },
  asks: {
    'the events of the controller': {
      evidence: { 'paste.txt': `Error creating: ${message}\n` },
      for: 'object-events',
    },
  },
});

it('tells the objection, braces of the evidence or not', async () => {
  const text = events(
    'pods "ledger-7f9c6b5d48-" is forbidden: unable to validate against any security context constraint: [provider restricted-v2: .spec.securityContext.fsGroup: Invalid value: []int64{999}: 999 is not an allowed group]',
  );
  const { incidents } = await diagnose([{ name: 'events.txt', text }], { causes: [cause] });
  expect(incidents[0]?.title).toContain('999 is not an allowed group');
});
