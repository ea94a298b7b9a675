import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['objects', 'object-events', 'container-log'] as const;

const store = line(
  [
    'InvalidProviderConfig',
    'unable to validate store',
    'could not get provider client',
    'unable to create client',
    'could not validate provider',
    'the desired SecretStore',
    'the desired ClusterSecretStore',
  ],
  SAID_BY,
  /(?:could not get provider client|unable to validate store|could not validate provider)(?:: |[\\", a-z]{1,20}error[\\":= ]{1,8})(?<error>[^\n]{5,400})|(?<config>InvalidProviderConfig)|the desired (?:Cluster)?SecretStore (?<unready>[\w.-]{1,253}) is not ready/,
);
const secret = line(
  ['could not get secret data from provider', 'error retrieving secret at', 'error processing spec.data'],
  SAID_BY,
  /(?:could not get secret data from provider|error retrieving secret at [^\n,:]{1,80}|error processing spec\.data\[\d{1,4}\](?: \(key: (?<key>[^\s)]{1,200})\))?)(?:[,:] ?(?:err(?:or)?: )?(?<error>[^\n]{3,300}))?/,
);
const synced = line(['SecretSyncedError'], SAID_BY, /SecretSyncedError/);
const since = line(['store validated'], [], /\bstore validated\b/);

const HINTS: readonly (readonly [error: RegExp, hint: string])[] = [
  [
    /AccessDenied|not authorized|permission|403|Forbidden|IAM|AssumeRole|denied/i,
    'The provider knows the identity but does not let it read: its role or policy lacks that secret, or the wrong identity is used.',
  ],
  [
    /credential|token|401|Unauthor|secretRef|cannot get Kubernetes secret|jwt|invalid_grant|expired/i,
    'The store cannot log in at the provider: the Secret with its credentials, the ServiceAccount with its role, or the auth method is missing or wrong.',
  ],
  [
    /dial tcp|no such host|timeout|connection refused|reset by peer|x509|certificate/i,
    'The provider is not reached, or its certificate is not trusted.',
  ],
  [
    /not exist|not found|NotFound|ResourceNotFound|no value|cannot find/i,
    'The store works, but has no secret or property of that name in that place or version.',
  ],
];

export const cause = defineCause({
  id: 'external-secret-not-synced',
  area: 'config',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['config-error', 'creating', 'other-trouble', 'failed'],

  text: {
    name: 'ExternalSecret is not synced',
    title: 'External Secrets does not deliver: {what}',
    why: 'The External Secrets operator logs in at a provider (Vault, a cloud) as its SecretStore says, reads what an ExternalSecret names, and writes a Secret from it. Here {what}. So the Secret does not exist or is not renewed, and pods that need it stay in CreateContainerConfigError. {hint}',
  },

  clues: {
    store: proves(store),
    secret: proves(secret),
    synced: supports(synced),
    since: excludes(since),
  },
  says: {
    store: 'the SecretStore cannot use its provider: {error}',
    secret: 'the provider does not give the secret: {error}',
    synced: 'ExternalSecrets report SecretSyncedError',
    since: 'the store works by now',
  },
  slots: (_place, { store: login, secret: value }) => {
    const error = (value?.fields['error'] ?? login?.fields['error'])?.replaceAll('\\', '').trim().slice(0, 220);
    return {
      error: error ?? (login ? 'InvalidProviderConfig' : 'see its events'),
      what: login?.fields['unready']
        ? `the SecretStore ${login.fields['unready']} is not ready: it cannot use its provider`
        : login
          ? `the SecretStore cannot use its provider${error ? ` (${error})` : ' (InvalidProviderConfig): its address, authentication or credentials are not accepted'}`
          : value
            ? `the provider does not give the secret${value.fields['key'] ? ` ${value.fields['key']}` : ''}${error ? ` (${error})` : ''}`
            : 'ExternalSecrets are not synced (SecretSyncedError)',
      hint:
        HINTS.find(([pattern]) => pattern.test(error ?? ''))?.[1] ??
        'While a SecretStore is not Ready, all ExternalSecrets of it fail: mend the store first. Its events and the log of the operator name the reason.',
    };
  },

  fixes: [
    {
      say: 'See the stores first, then the ExternalSecrets, and what the operator says',
      risk: 'reads-only',
      steps: [
        { say: 'which are not ready', run: 'kubectl get clustersecretstores,secretstores,externalsecrets -A', on: 'cluster' },
        {
          say: 'why',
          run: 'kubectl describe clustersecretstores; kubectl -n NAMESPACE describe secretstore,externalsecret',
          on: 'cluster',
        },
        {
          say: 'the whole error',
          run: 'kubectl -n external-secrets logs deploy/external-secrets --tail=50 | grep -i error',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Correct address, authentication and credentials of the store, or key, property and version of the ExternalSecret',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'spec.provider of the store, with the Secret or ServiceAccount it refers to',
          run: 'kubectl edit clustersecretstore NAME',
          on: 'cluster',
        },
        {
          say: 'then sync at once instead of waiting for refreshInterval',
          run: 'kubectl -n NAMESPACE annotate externalsecret NAME force-sync=$(date +%s) --overwrite',
          on: 'cluster',
        },
      ],
      verified: 'the store is Valid, the ExternalSecret SecretSynced',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['external-secrets pkg/controllers/secretstore/common.go, pkg/controllers/externalsecret/externalsecret_controller.go'],
});
