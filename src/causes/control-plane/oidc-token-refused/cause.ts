import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const LOGS = ['control-plane-log', 'container-log', 'objects'] as const;
/** The API server says in its log why it turned a token away; the client learns only Unauthorized. */
const refused = line(
  [
    'oidc: verify token',
    'oidc: token is expired',
    'oidc: expected audience',
    'oidc: id token issued by',
    'oidc: email not verified',
    'oidc: malformed jwt',
    'oidc: parse username claims',
    'oidc: authenticator not initialized',
    'failed to verify signature: fetching keys',
  ],
  LOGS,
  /oidc: (?:verify token: )?(?:oidc: )?(?:(?<expired>token is expired(?: \(Token Expiry: (?<end>[^)\n]{10,60})\))?)|expected audience [\\"]{0,4}(?<audience>[^\n"\\]{1,160})[\\"]{0,4} got \[?[\\"]{0,4}(?<got>[^\n"\\\]]{1,160})|id token issued by a different provider, expected [\\"]{0,4}(?<issuer>[^\s"\\]{2,200})[\\"]{0,4} got [\\"]{0,4}(?<other>[^\s"\\\]]{2,200})|(?<signature>failed to verify (?:id token )?signature)|(?<malformed>malformed jwt)|parse username claims [\\"]{1,4}(?<claim>[\w.:/-]{1,100})[\\"]{1,4}: (?<fault>[^\n"\\]{3,120})|email not (?<unverified>verified)|(?<early>authenticator not initialized))/,
);
/** At its start the API server asks the provider for its keys, and goes on asking. */
const provider = line(
  ['oidc authenticator: initializing plugin', 'oidc: initialize provider', 'initializing provider: '],
  LOGS,
  /(?:oidc authenticator: initializing plugin|oidc: initialize provider|oidc[^\n]{0,60}initializing provider): (?<error>[^\n]{5,300})/,
);
/** kubectl or its login helper could not trade the refresh token for a new one. */
const refresh = line(
  [
    'failed to refresh token: oauth2',
    'oauth2: cannot fetch token',
    'could not refresh the token',
    'No valid id-token, and cannot refresh',
    'get-token: authentication error',
    'oidc error: ',
  ],
  ['objects', 'prose'],
  /(?:failed to refresh token: |could not refresh the token: |get-token: [^\n]{0,120}?|oidc error: [^\n]{0,120}?)(?:oauth2: )?(?:cannot fetch token: (?<status>[^\n]{3,160})|(?<grant>[\\"]{0,4}invalid_grant[^\n]{0,120}))|(?<none>No valid id-token, and cannot refresh without refresh-token)/,
);
const account = line(['service account token has'], [], /service account token has (?:expired|been invalidated)/);

export const cause = defineCause({
  id: 'oidc-token-refused',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['control-plane-down', 'other-trouble'],

  text: {
    name: 'OIDC login is not accepted',
    title: 'The login by OpenID Connect (OIDC) fails: {what}',
    why: 'People log in with an ID token of an identity provider (Keycloak, Dex, Entra ID, Okta); the API server checks its signature, issuer (--oidc-issuer-url), audience (--oidc-client-id) and time. Here {what}. {hint} Pods and service accounts are not touched: the cluster itself may be well.',
  },

  clues: {
    refused: proves(refused),
    provider: proves(provider),
    refresh: proves(refresh),
    account: excludes(account),
  },
  says: {
    refused: 'the API server turns the ID token away: {what}',
    provider: 'the API server cannot ask the identity provider: {error}',
    refresh: 'the login helper gets no new token from the provider: {error}',
    account: 'the token is one of a service account',
  },
  slots: (_place, { refused: token, provider: server, refresh: renewal }) => {
    const error = (server?.fields['error'] ?? renewal?.fields['status'] ?? renewal?.fields['grant'])
      ?.replaceAll('\\', '')
      .trim()
      .slice(0, 200);
    // That it is not ready yet is told more often than why.
    const [what, hint] =
      token && !(server && token.fields['early'])
        ? faultOf(token.fields)
        : server
          ? providerFault(error ?? '')
          : renewal?.fields['none']
            ? ['the ID token has expired and there is no refresh token', 'Log in again, and ask for the scope offline_access.']
            : [
                `no new ID token is given for the refresh token (${error ?? 'see its message'})`,
                'The session at the provider has ended or was revoked, or the client secret was changed: log in again.',
              ];
    return { what: what ?? 'see the log of the API server', hint: hint ?? '', error: error ?? 'see its message' };
  },

  fixes: [
    {
      say: 'Log in again, and look into the token: issuer, audience and expiry must be what the API server expects',
      risk: 'reads-only',
      steps: [
        {
          say: 'forget the tokens kept (kubelogin), then log in by any command',
          run: 'rm -rf ~/.kube/cache/oidc-login; kubectl auth whoami',
          on: 'cluster',
        },
        { say: 'what the API server expects', run: 'grep -n oidc- /etc/kubernetes/manifests/kube-apiserver.yaml', on: 'node' },
        {
          say: 'why it turns tokens away',
          run: 'kubectl -n kube-system logs -l component=kube-apiserver --tail=500 | grep -i oidc | tail',
          on: 'cluster',
        },
        { say: 'clocks: a token is refused also when one of them is off', run: 'date -u; timedatectl', on: 'node' },
      ],
      verified: 'kubectl auth whoami names the user',
    },
    {
      say: 'Correct issuer, client id, claims or CA in the flags of the API server (or its AuthenticationConfiguration)',
      risk: 'touches-node',
      steps: [
        {
          say: 'the provider must answer from the control-plane node with the very same issuer',
          run: 'curl -sS ISSUER/.well-known/openid-configuration | head -c 400',
          on: 'node',
        },
        {
          say: '--oidc-issuer-url, --oidc-client-id, --oidc-username-claim, --oidc-ca-file',
          run: 'vi /etc/kubernetes/manifests/kube-apiserver.yaml',
          on: 'node',
        },
      ],
      verified: 'the log of the API server has no more oidc errors',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes staging/src/k8s.io/apiserver/plugin/pkg/authenticator/token/oidc/oidc.go',
    'coreos/go-oidc oidc/verify.go',
    'kubernetes staging/src/k8s.io/client-go/plugin/pkg/client/auth/oidc/oidc.go',
  ],
});

function faultOf(fields: Readonly<Record<string, string | undefined>>): readonly [what: string, hint: string] {
  if (fields['expired'])
    return [
      `the ID token has expired${fields['end'] ? ` (${fields['end']})` : ''}`,
      'ID tokens live for minutes to hours; a script or kubeconfig that keeps one, or a login helper without a refresh token, is locked out then.',
    ];
  if (fields['audience'])
    return [
      `the token is for another client: ${fields['got']} instead of ${fields['audience']}`,
      'The client id of the login helper must be that of --oidc-client-id.',
    ];
  if (fields['issuer'])
    return [
      `the token comes from another issuer: ${fields['other']} instead of ${fields['issuer']}`,
      'The issuer must be the same to the letter, with or without a slash at its end.',
    ];
  if (fields['signature'])
    return ['the signature of the token cannot be verified', 'The provider changed its keys, or the API server cannot fetch them.'];
  if (fields['claim'])
    return [
      `the token has no usable claim ${fields['claim']} (${fields['fault']})`,
      'The provider must put that claim into the ID token, or --oidc-username-claim must name another.',
    ];
  if (fields['unverified'])
    return [
      'the e-mail address of the user is not verified',
      'The provider must mark it as verified, or another claim must be the user name.',
    ];
  if (fields['early'])
    return ['the API server has not reached the identity provider yet', 'It needs the keys of the provider: check the route and the CA.'];
  return ['the token is not a valid ID token', 'An access token or an opaque token was sent instead of an ID token.'];
}

function providerFault(error: string): readonly [what: string, hint: string] {
  const names = /certificate is valid for (?<names>[^\n]{2,160}?), not (?<asked>[\w.:-]{2,253})/.exec(error)?.groups;
  const wait = 'Until the API server has the keys of the provider, it accepts none of its tokens.';
  if (names)
    return [
      `the certificate that the identity provider (issuer) shows is not for ${names['asked']}, but for ${names['names']}`,
      `${wait} The ingress or proxy before the provider shows its default certificate: give it one for the host of --oidc-issuer-url.`,
    ];
  if (/x509: |certificate/.test(error))
    return [
      `the API server does not trust the certificate of the identity provider (issuer): ${error}`,
      `${wait} Put the authority that signed it into --oidc-ca-file, readable inside the pod of the API server.`,
    ];
  if (/\b404\b|did not match the issuer|different issuer/.test(error))
    return [
      `there is no identity provider at the address of --oidc-issuer-url: ${error}`,
      `${wait} ISSUER/.well-known/openid-configuration must answer, and name the very same issuer.`,
    ];
  return [
    `the API server cannot reach or trust the identity provider (${error})`,
    `${wait} Check the address, DNS and route from the control plane, and the authority in --oidc-ca-file.`,
  ];
}
