import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['objects', 'object-events', 'container-log'] as const;

const limited = line(
  ['acme:error:rateLimited', 'too many certificates'],
  SAID_BY,
  /acme:error:rateLimited: (?<error>[^\n]{5,300})|(?<many>too many certificates \(\d{1,6}\) already issued[^\n]{0,200})/,
);
const account = line(
  ['failed to register an ACME account', 'Failed to register ACME account', 'acme:error:invalidContact', 'acme:error:accountDoesNotExist'],
  SAID_BY,
  /[Ff]ailed to register (?:an )?ACME account[^\n]{0,20}?:? ?[\\"]{0,4}(?:error[\\"]{0,4}[=:] ?[\\"]{0,4})?(?<error>[^\n]{5,300})|acme:error:(?<kind>invalidContact|accountDoesNotExist|externalAccountRequired)/,
);
const issuer = line(
  ['Referenced "', 'Referenced issuer does not have a Ready'],
  SAID_BY,
  /Referenced [\\"]{1,4}(?<kind>ClusterIssuer|Issuer)[\\"]{1,4} not found: [^\n]{0,80}?[\\"]{1,4}(?<name>[\w.-]{1,253})[\\"]{1,4} not found|(?<unready>Referenced issuer does not have a Ready status condition)/,
);
const zone = line(
  ['Error presenting challenge', 'Found no Zones for domain'],
  SAID_BY,
  /Error presenting challenge: (?<error>(?!AccessDenied)[^\n]{5,300})|(?<zones>Found no Zones for domain [^\s]{3,253})/,
);
const twice = line(
  ['conflicting Certificates pointing to the same secret'],
  SAID_BY,
  /Secret was issued for [\\"]{1,4}(?<name>[\w.-]{1,253})[\\"]{1,4}|conflicting Certificates pointing to the same secret/,
);
/** A CA issuer signs with the key pair of a Secret: in the namespace of the Issuer, for a ClusterIssuer in that of cert-manager. */
const keyPair = line(
  [
    'Error getting keypair for CA issuer',
    'signing certificate is not a CA',
    'ErrGetKeyPair',
    'ErrInvalidKeyPair',
    'Failed to get tls key pair from secret',
  ],
  SAID_BY,
  /(?:Error getting keypair for CA issuer|Failed to get tls key pair from secret [\w./-]{1,300}): (?<pair>[^\n]{3,200})|(?<notCa>signing certificate is not a CA)|(?<reason>ErrGetKeyPair|ErrInvalidKeyPair)/,
);
const login = line(
  [
    'Failed to initialise Vault client',
    'Failed to initialize Vault client',
    'failed to create vault client',
    'failed to setup Venafi client',
    'Failed to setup Venafi',
  ],
  SAID_BY,
  /(?:Failed to initiali[sz]e Vault client|failed to create vault client[^\n:]{0,60}|[Ff]ailed to setup Venafi(?: client| issuer)?)[\\"]{0,4}:? ?(?<error>[^\n]{5,300})/,
);
const unapproved = line(
  ['Not signing CertificateRequest until it is Approved', 'WaitingForApproval', 'CertificateRequest has been denied', 'was denied by the'],
  SAID_BY,
  /Not signing CertificateRequest until it is Approved|The CertificateRequest was (?<denied>denied)[^\n]{0,120}|CertificateRequest has been (?<refused>denied)/,
);
/** The shim makes a Certificate from an Ingress or Gateway, when it can. */
const shim = line(
  ['for ingress TLS has no hosts', 'for ingress TLS has', 'TLS entry ', 'Skipped a listener block'],
  SAID_BY,
  /TLS entry \d{1,4} is invalid: (?<entry>[^\n]{5,200})|secret [\\"]{1,4}[\w.-]{1,253}[\\"]{1,4} for ingress TLS has (?<hosts>no hosts specified)|Skipped a listener block: (?<listener>[^\n]{5,200})/,
);
/** The end of the chain: why it failed stands in the Order and its Challenges. */
const failedOrder = line(
  [
    'order is in "invalid" state',
    'order is in \\"invalid\\" state',
    'order is in "errored" state',
    'The certificate request has failed to complete',
  ],
  SAID_BY,
  /order is in [\\"]{1,4}(?<state>invalid|errored|expired)[\\"]{1,4} state(?:: (?<error>[^\n]{5,200}))?|The certificate request has failed to complete and will be retried(?:: (?<why>[^\n]{5,200}))?/,
);
const waits = line(
  [
    'Issuing certificate as Secret does not exist',
    'Issuing certificate as Secret was previously issued',
    'Waiting on certificate issuance from order',
    'Waiting for CertificateRequest',
  ],
  SAID_BY,
  /Issuing certificate as Secret (?:does not exist|was previously issued[^\n]{0,60})|Waiting on certificate issuance from order (?<order>[\w./-]{1,300})|Waiting for CertificateRequest [\\"]{0,4}(?<request>[\w.-]{1,253})/,
);
/** A row of `kubectl get certificates`; a young one may just be on its way. */
function isLate({ about, status, ageSeconds }: { readonly about: string; readonly status: string; readonly ageSeconds?: number }): boolean {
  return (
    /^Object\/(?:Certificate|CertificateRequest|Issuer|ClusterIssuer)\//.test(about) && status === 'False' && (ageSeconds ?? 600) >= 120
  );
}
const since = line(['Certificate is up to date and has not expired'], []);

export const cause = defineCause({
  id: 'certificate-not-issued',
  area: 'config',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'creating', 'not-ready'],
  effectOf: ['cloud-credentials-refused', 'acme-challenge-unanswered'],
  wakesOn: [on('object.status', { status: 'False' })],

  text: {
    name: 'cert-manager issues no certificate',
    title: 'cert-manager cannot issue the certificate: {what}',
    why: 'cert-manager makes a CertificateRequest from every Certificate and hands it to its issuer; only then it writes the Secret that pods and Ingresses use. Here {what} ({error}). Pods that mount the Secret stay in ContainerCreating, and the Ingress shows a default certificate. {hint}',
  },

  clues: {
    limited: proves(limited),
    account: proves(account),
    issuer: proves(issuer),
    zone: proves(zone),
    twice: proves(twice),
    keyPair: proves(keyPair),
    login: proves(login),
    unapproved: supports(unapproved),
    shim: proves(shim),
    failedOrder: supports(failedOrder),
    waits: supports(waits),
    late: supports('object.status', isLate),
    since: excludes(since),
  },
  says: {
    limited: 'the ACME server limits how many certificates it issues',
    account: 'the issuer cannot register its account at the ACME server: {error}',
    issuer: 'the issuer of the Certificate does not exist or is not ready',
    zone: 'the DNS record of the challenge cannot be made: {error}',
    twice: 'two Certificates write the same Secret',
    keyPair: 'the issuer has no usable key pair: {error}',
    login: 'the issuer cannot log in: {error}',
    unapproved: 'the CertificateRequest is not approved',
    shim: 'the Ingress or Gateway gives no usable TLS entry: {error}',
    failedOrder: 'the order at the ACME server has failed',
    waits: 'the certificate is waited for: nothing has been issued yet',
    late: 'it is listed as READY False',
    since: 'the certificate was issued since',
  },
  slots: (
    _place,
    {
      limited: quota,
      account: contact,
      issuer: by,
      zone: dns,
      twice: both,
      keyPair: pair,
      login: access,
      unapproved: open,
      shim: entry,
      failedOrder: order,
    },
  ) => {
    const error = (
      quota?.fields['error'] ??
      quota?.fields['many'] ??
      contact?.fields['error'] ??
      contact?.fields['kind'] ??
      dns?.fields['error'] ??
      dns?.fields['zones'] ??
      pair?.fields['pair'] ??
      pair?.fields['notCa'] ??
      access?.fields['error'] ??
      entry?.fields['entry'] ??
      entry?.fields['hosts'] ??
      entry?.fields['listener'] ??
      order?.fields['error'] ??
      order?.fields['why']
    )
      ?.replaceAll('\\', '')
      .trim()
      .slice(0, 200);
    const [what, hint] = quota
      ? [
          'the ACME server has issued too many certificates for these names already',
          "Let's Encrypt gives out 5 certificates a week for the same set of names. Try with its staging server, keep the Secret instead of deleting it, and wait.",
        ]
      : contact
        ? [
            'the issuer cannot register at the ACME server',
            'Its e-mail address must be a real one (not example.com), its account key must be that of this server, and the server must be reached.',
          ]
        : by
          ? [
              by.fields['name'] ? `the ${by.fields['kind']} ${by.fields['name']} does not exist` : 'its issuer is not ready',
              'issuerRef of the Certificate (or the annotation of the Ingress) must name the right kind (Issuer in the same namespace, ClusterIssuer anywhere) and name; an issuer that is not ready says why in its own status.',
            ]
          : dns
            ? [
                'the DNS record of the challenge cannot be made',
                'The token or role of the DNS-01 solver must be allowed to read and edit that zone, and the zone must be in that account.',
              ]
            : both
              ? [
                  'two Certificates write into the same Secret',
                  'Each secretName must belong to one Certificate only; an Ingress with an annotation makes one of its own.',
                ]
              : pair
                ? [
                    'its CA issuer has no usable key pair',
                    'spec.ca.secretName must name a Secret with tls.crt and tls.key of a CA certificate (basicConstraints CA:TRUE): beside an Issuer, and for a ClusterIssuer in the namespace of cert-manager.',
                  ]
                : access
                  ? [
                      'its issuer cannot log in at Vault or Venafi',
                      'The Secret, token or role that the issuer names must exist and be accepted.',
                    ]
                  : entry
                    ? [
                        'the TLS entry of the Ingress or Gateway cannot be used',
                        'Each entry under spec.tls needs a secretName and at least one host (a listener: hostname and certificateRefs).',
                      ]
                    : open
                      ? [
                          (open.fields['denied'] ?? open.fields['refused'])
                            ? 'its CertificateRequest was denied'
                            : 'its CertificateRequest waits for an approval',
                          'The approver of cert-manager approves by itself unless it was disabled; an approver-policy needs a policy that allows this request and a role that may use it.',
                        ]
                      : order
                        ? [
                            'the order at the ACME server has failed',
                            'Its Challenges say why (describe order, challenge): mostly the server did not reach http://HOST/.well-known/acme-challenge/, or did not see the TXT record.',
                          ]
                        : [
                            'it is not ready, and what holds it up is further down the chain',
                            'The status of CertificateRequest, Order and Challenge, in this order, tells more; a self check that fails is the usual end.',
                          ];
    return { what: what ?? '', hint: hint ?? '', error: error ?? what ?? '' };
  },

  fixes: [
    {
      say: 'Follow the chain from the Certificate down: the last object that exists names the reason',
      risk: 'reads-only',
      steps: [
        {
          say: 'all of them',
          run: 'kubectl get issuers,clusterissuers,certificates,certificaterequests,orders,challenges -A',
          on: 'cluster',
        },
        {
          say: 'what the issuer says',
          run: 'kubectl describe clusterissuers; kubectl -n NAMESPACE describe certificate,certificaterequest,order,challenge',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Correct the issuer, its credentials or the reference to it, then issue again',
      risk: 'restarts-pods',
      steps: [
        { say: 'server, email, solvers and their Secrets', run: 'kubectl edit clusterissuer NAME', on: 'cluster' },
        { say: 'cert-manager waits longer after each failure; this does not wait', run: 'cmctl renew NAME -n NAMESPACE', on: 'cluster' },
      ],
      verified: 'the Certificate is Ready',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'cert-manager pkg/controller/certificaterequests, pkg/issuer/acme/setup.go, pkg/controller/acmechallenges/sync.go, internal/controller/certificates/policies',
    'RFC 8555 section 6.7',
  ],
});
