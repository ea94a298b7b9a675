import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = (message: string, reason = 'Failed') => ({
  evidence: {
    'events.txt': `NAMESPACE   LAST SEEN   TYPE      REASON   OBJECT             MESSAGE\norchard     9s          Warning   ${reason}   certificate/till   ${message}\n`,
  },
  confidence: 'certain' as const,
});
const noIssuer = event('Referenced "ClusterIssuer" not found: clusterissuer.cert-manager.io "acme" not found', 'IssuerNotFound');

testCause(cause, {
  finds: {
    'too many of them': event(
      'Failed to create Order: 429 urn:ietf:params:acme:error:rateLimited: Error creating new order :: too many certificates (5) already issued for this exact set of domains in the last 168 hours: till.example',
    ),
    'an address nobody has': {
      evidence: {
        'log.txt':
          '$ kubectl -n cert-manager logs cert-manager-5c9d8b7f6-r4m2k\nE0304 08:10:57.118204       1 setup.go:202] cert-manager/clusterissuers "msg"="failed to register an ACME account" "error"="400 urn:ietf:params:acme:error:invalidContact: contact email has forbidden domain"\n',
      },
      confidence: 'certain',
    },
    'no such issuer': noIssuer,
    'an issuer that is not ready': event('Referenced issuer does not have a Ready status condition'),
    'a zone it does not see': event(
      'Error presenting challenge: Found no Zones for domain _acme-challenge.till.example. (neither in the sub-domain nor in the SLD)',
    ),
    'one Secret for two': event(
      'Secret was issued for "till-old". If this message is not transient, you might have two conflicting Certificates pointing to the same secret.',
    ),
  },
  rulesOut: {
    'issued since': {
      evidence: {
        ...noIssuer.evidence,
        'certificate.txt':
          'Name:  till\nKind:  Certificate\nStatus:\n  Conditions:\n    Message:  Certificate is up to date and has not expired\n    Type:     Ready\n',
      },
      by: 'since',
    },
  },
  asks: {
    'what cert-manager says': { evidence: { 'note.txt': 'Referenced issuer does not have a Ready status condition\n' }, for: 'objects' },
  },
});
