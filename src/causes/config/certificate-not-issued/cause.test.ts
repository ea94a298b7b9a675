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
    'another certificate of the same paste is well': {
      evidence: {
        ...noIssuer.evidence,
        'certificate.txt':
          'Name:         pears\nNamespace:    orchard\nAPI Version:  cert-manager.io/v1\nKind:         Certificate\nStatus:\n  Conditions:\n    Message:  Certificate is up to date and has not expired\n    Type:     Ready\n',
      },
      confidence: 'certain',
    },
    'a CA issuer without its Secret': event('Error getting keypair for CA issuer: secrets "root-ca" not found', 'ErrGetKeyPair'),
    'a CA issuer with a leaf': event('signing certificate is not a CA', 'ErrInvalidKeyPair'),
    'an issuer that cannot log in': event(
      'Failed to initialise Vault client: error reading Kubernetes service account token from vault-auth: secrets "vault-auth" not found',
      'VaultError',
    ),
    'nobody approves': {
      ...event('Not signing CertificateRequest until it is Approved', 'WaitingForApproval'),
      confidence: 'possible',
    },
    'an Ingress without hosts': event('TLS entry 0 is invalid: secret "till-tls" for ingress TLS has no hosts specified', 'BadConfig'),
    'an order that failed': {
      ...event(
        'The certificate request has failed to complete and will be retried: Failed to wait for order resource "till-1-2" to become ready: order is in "invalid" state:',
      ),
      confidence: 'possible',
    },
    'a row that is not ready': {
      evidence: { 'get.txt': 'NAME       READY   SECRET     AGE\ntill-tls   False   till-tls   13m\n' },
      confidence: 'possible',
    },
    'waiting for the first one': {
      ...event('Issuing certificate as Secret does not exist', 'Issuing'),
      confidence: 'possible',
    },
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
