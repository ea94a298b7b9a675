import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

/** The agent names the request, the code and the errors of Vault in one message of several lines. */
const login = line(
  ['/v1/auth/'],
  ['container-log', 'pod-events', 'prose'],
  /\/v1\/(?:[\w-]{1,60}\/){0,3}auth\/[\w-]{1,60}\/login\b[\s\S]{0,120}?Code: 40[03]\b(?:[\s\S]{0,160}?\* (?![\d]{1,3} errors?)(?<reason>[^\n"|\\*]{3,120}))?/,
);
/** Where the message was broken at its line ends only the request is left; it is named only when it failed. */
const loginFailed = line(
  ['/v1/auth/'],
  ['container-log', 'prose'],
  /URL: PUT https?:\/\/[^\s/]{1,253}\/v1\/(?:[\w-]{1,60}\/){0,3}auth\/[\w-]{1,60}\/login\b/,
);
const notBound = line(
  [
    'service account name not authorized',
    'namespace not authorized',
    'invalid role name "',
    'lookup failed: service account unauthorized',
    'invalid audience (aud) claim',
  ],
  ['container-log', 'pod-events', 'prose'],
  /(?<reason>service account name not authorized|namespace not authorized|invalid role name [\\"]{1,3}[\w.-]{0,80}[\\"]{1,3}|lookup failed: service account unauthorized|invalid audience \(aud\) claim)/,
);
const forbidden = line(
  ['URL: GET http'],
  ['container-log', 'pod-events', 'prose'],
  /URL: GET https?:\/\/[^\s/]{1,253}\/v1\/(?<path>(?!auth\/|sys\/)[^\s\\"?|]{2,200})[\s\S]{0,120}?Code: 403\b/,
);
const nothing = line(['no secret exists at '], ['container-log', 'prose'], /no secret exists at (?<path>[^\s"\\)]{2,200})/);
const sealed = line(['Vault is sealed', 'Code: 503. Errors'], []);

/** What the words of Vault mean for the role. */
function meaningOf(reason: string): string {
  if (/namespace not/.test(reason)) return 'the role is bound to other namespaces';
  if (/account name not/.test(reason)) return 'the role is bound to other service accounts';
  if (/role name/.test(reason)) return 'there is no such role';
  if (/lookup failed/.test(reason)) return 'Vault cannot check its token, or the service account was made anew';
  if (/audience/.test(reason)) return 'its token is for another audience than the role wants';
  return 'the role does not allow this service account, or Vault may not check its token';
}

export const cause = defineCause({
  id: 'vault-gives-no-secret',
  area: 'config',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['init-stuck', 'init-crash', 'crash-loop', 'restarts', 'failed', 'not-ready', 'other-trouble'],
  effectOf: ['app-waits-to-be-unsealed'],

  text: {
    name: 'Vault gives no secret',
    title: '{container} gets no secret from Vault: {what}',
    why: 'The agent in {container} logs in to Vault with the token of the service account of the pod, under a role, and reads what the policies of that role allow. {mechanism} It tries again for ever, and the program of the pod waits behind it.',
  },

  clues: {
    login: proves(login, byContainers),
    loginFailed: supports(loginFailed, byContainers),
    notBound: supports(notBound, byContainers),
    forbidden: proves(forbidden, byContainers),
    nothing: proves(nothing, byContainers),
    sealed: excludes(sealed),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    login: 'Vault refuses its login: {reason}',
    loginFailed: 'its login at Vault failed',
    notBound: 'Vault says of it: {reason}',
    forbidden: 'Vault does not let it read {path}',
    nothing: 'Vault has nothing at {path}',
    sealed: 'Vault itself is not open',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { login: refused, notBound: unbound, forbidden: denied, nothing: empty }) => {
    const reason = (unbound?.fields['reason'] ?? refused?.fields['reason'] ?? 'permission denied').trim();
    const path = empty?.fields['path'] ?? denied?.fields['path'] ?? 'the secret';
    const { what, mechanism } = empty
      ? {
          what: `there is nothing at ${path}`,
          mechanism: `It logged in, and at ${path} there is no secret: a path that was never written, another mount, or the second version of the key-value store, whose paths have data/ after the mount (secret/data/NAME).`,
        }
      : denied
        ? {
            what: `its policies do not allow ${path}`,
            mechanism: `It logged in, and no policy of its role allows reading ${path}; for the second version of the key-value store a policy must name the path with data/ after the mount.`,
          }
        : {
            what: `its login is refused (${reason}): ${meaningOf(reason)}`,
            mechanism:
              'The login is refused: the role lists the service accounts and namespaces it is for, and this one is not among them; or Vault cannot ask the API server whether the token is good (its service account lacks system:auth-delegator, or kubernetes_host and the CA are of another cluster).',
          };
    return { ...namesOf(place), reason, path, what, mechanism };
  },

  fixes: [
    {
      say: 'See what the agent says, and with which role and service account it comes',
      risk: 'reads-only',
      steps: [
        { say: 'the words of the agent', run: 'kubectl -n {{namespace}} logs {{target}} -c vault-agent-init --tail=40', on: 'cluster' },
        {
          say: 'service account and annotations of the pod',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE 'serviceAccountName|vault.hashicorp.com'",
          on: 'cluster',
        },
        { say: 'what the role is bound to', run: 'vault read auth/kubernetes/role/ROLE', on: 'cluster' },
      ],
    },
    {
      say: 'The login is refused: bind the role to this service account and namespace',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'name both as the pod has them',
          run: 'vault write auth/kubernetes/role/ROLE bound_service_account_names=ACCOUNT bound_service_account_namespaces={{namespace}} policies=POLICY ttl=1h',
          on: 'cluster',
        },
        { say: 'then start the pods anew', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' },
      ],
      verified: 'the agent writes "authentication successful", and {container} goes on',
    },
    {
      say: 'The role is right: let Vault check tokens at the API server (token review)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the service account of Vault, or the reviewer token it was given, needs system:auth-delegator',
          run: 'kubectl create clusterrolebinding vault-token-review --clusterrole=system:auth-delegator --serviceaccount=VAULT-NAMESPACE:vault',
          on: 'cluster',
        },
        { say: 'address and CA must be of this cluster', run: 'vault read auth/kubernetes/config', on: 'cluster' },
      ],
      verified: 'the agent writes "authentication successful", and {container} goes on',
    },
    {
      say: 'It logs in and gets nothing: correct the path in the annotation, or allow it in a policy of the role',
      risk: 'restarts-pods',
      steps: [
        { say: 'is there something, and under which path?', run: 'vault kv get -output-curl-string MOUNT/NAME', on: 'cluster' },
        { say: 'what the policy allows', run: 'vault policy read POLICY', on: 'cluster' },
      ],
      verified: 'the file below /vault/secrets is there, and {container} goes on',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'hashicorp/vault api/response.go (Error making API request), command/agentproxyshared/auth/auth.go',
    'hashicorp/vault-plugin-auth-kubernetes path_login.go, token_review.go',
    'hashicorp/consul-template dependency/vault_common.go (no secret exists at)',
  ],
});
