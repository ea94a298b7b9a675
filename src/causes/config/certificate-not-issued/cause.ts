import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

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
const since = line(['Certificate is up to date and has not expired'], []);

export const cause = defineCause({
  id: 'certificate-not-issued',
  area: 'config',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'creating', 'not-ready'],
  effectOf: ['cloud-credentials-refused'],

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
    since: excludes(since),
  },
  says: {
    limited: 'the ACME server limits how many certificates it issues',
    account: 'the issuer cannot register its account at the ACME server: {error}',
    issuer: 'the issuer of the Certificate does not exist or is not ready',
    zone: 'the DNS record of the challenge cannot be made: {error}',
    twice: 'two Certificates write the same Secret',
    since: 'the certificate was issued since',
  },
  slots: (_place, { limited: quota, account: contact, issuer: by, zone: dns, twice: both }) => {
    const error = (
      quota?.fields['error'] ??
      quota?.fields['many'] ??
      contact?.fields['error'] ??
      contact?.fields['kind'] ??
      dns?.fields['error'] ??
      dns?.fields['zones']
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
              : ['its issuer does not answer', 'The status of CertificateRequest, Order and Challenge tells more.'];
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
