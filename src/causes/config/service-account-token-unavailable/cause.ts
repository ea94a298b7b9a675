import { defineCause, excludes, isWell, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const PRINTED_BY = ['pod-events', 'kubelet-log'] as const;

const UNREACHABLE =
  /dial tcp|i\/o timeout|connection refused|\bEOF\b|TLS handshake timeout|context deadline exceeded|no route to host|Client\.Timeout/;
const NO_ACCOUNT = /serviceaccounts? \\*"[^"\\\s]{1,253}\\*" not found/i;

const noToken = line(
  ['failed to fetch token', 'failed to create token', 'does not have TokenRequest endpoints'],
  PRINTED_BY,
  withContext(/failed to (?:fetch|create) token: (?<error>[^\n]{1,400})|(?<old>API server does not have TokenRequest endpoints enabled)/, {
    may: [NAMED_VOLUME],
  }),
);
const noRootCa = line(
  ['kube-root-ca.crt'],
  PRINTED_BY,
  /configmaps? \\*"(?<object>kube-root-ca\.crt)\\*" not found|references non-existent config key: (?<key>ca\.crt)/,
);
const noApiToken = line(
  ['No API token found for service account'],
  ['object-events', 'workload', 'control-plane-log', 'system-log'],
  /No API token found for service account [\\"]{0,4}(?<account>[^"\\\s,]{1,253})/i,
);
const notMounted = line(
  ['secrets/kubernetes.io/serviceaccount', 'Service token file does not exist'],
  ['container-log', 'control-plane-log'],
  /(?:open|stat|read|no such file or directory,? (?:open|stat)|can't open|cat:)[^\n]{0,20}?\/secrets\/kubernetes\.io\/serviceaccount\/(?<file>token|ca\.crt|namespace)'?(?:"|\)|:|,| )[^\n]{0,40}?(?:no such file or directory|ENOENT|NoSuchFile)|ENOENT[^\n]{0,100}?serviceaccount\/(?<node>token|ca\.crt|namespace)|(?<python>Service token file does not exist)/i,
);
const noServiceHost = line(['KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined'], 'container-log');
const notRegistered = line(
  ['kube-root-ca.crt', 'failed to sync secret cache', 'failed to sync configmap cache'],
  PRINTED_BY,
  /object \\*"(?<namespace>[^"\\\s]{1,63})\\*"\/\\*"kube-root-ca\.crt\\*" not registered|for volume \\*"(?:kube-api-access|default-token|[\w.-]{1,200}-token)-[\w-]{1,20}\\*" ?: failed to sync (?:secret|configmap) cache/,
);
const otherKey = line(
  [
    'service account token has',
    'error in cryptographic primitive',
    'service account UID',
    'invalid bearer token',
    'the server has asked for the client to provide credentials',
    ': Unauthorized',
  ],
  ['control-plane-log', 'container-log'],
  /invalid bearer token[^\n]{0,120}?(?:(?<key>cryptographic primitive|verification error|go-jose|no keys found)|(?<expired>(?:service account )?token has expired)|(?<gone>(?:service account )?token has been invalidated|service account UID|serviceaccounts? [\\"]{1,6}[\w.-]{1,253}[\\"]{1,6} not found|does not match claim)|service account)|service account token has (?:been invalidated|(?<late>expired))|service account UID \([^)\n]{0,60}\) does not match claim|(?<asked>the server has asked for the client to provide credentials|failed to (?:list|watch|get) \*?[\w.]{2,80}: Unauthorized$)/im,
);
const unreachable = line(
  ['failed to fetch token'],
  [],
  /failed to fetch token: [^\n]{0,300}?(?:dial tcp|i\/o timeout|connection refused|TLS handshake timeout|no route to host|context deadline exceeded)/,
);

/** Why the API server turns away a token it once issued. */
function refusalOf(fields: Readonly<Record<string, string | undefined>>): { what: string; mechanism: string } {
  if (fields['key'])
    return {
      what: 'the API server does not accept tokens: they were signed with another service account key than it verifies with',
      mechanism:
        'The controller manager signs with --service-account-private-key-file (sa.key), the API server verifies with --service-account-key-file (sa.pub): the two do not belong together on this control plane, or the pair was made anew (new certificates, a restored or re-created cluster) and pods still carry tokens of the old one.',
    };
  if (fields['expired'] || fields['late'])
    return {
      what: 'the API server turns away a token of a service account that has expired',
      mechanism:
        'Such a token holds an hour, and the kubelet renews the file before that; a program that read it only once (an old client library), a copy of it in a kubeconfig (CNI plugins) or a wrong clock goes on with the old one.',
    };
  if (fields['gone'])
    return {
      what: 'the API server turns away a token whose ServiceAccount, Secret or pod is gone or was made anew',
      mechanism:
        'The token was good until the ServiceAccount, its Secret or its pod was deleted (also by restoring etcd or a namespace); whoever uses it still must get a new one.',
    };
  return {
    what: 'tokens are not accepted by the API server: they were signed with another key than it verifies with (service account key, sa.key and sa.pub), or belong to an account that is gone',
    mechanism:
      'The tokens in use were signed with another key or belong to a ServiceAccount that was made anew; the pods must get new ones.',
  };
}

export const cause = defineCause({
  id: 'service-account-token-unavailable',
  area: 'config',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'no-pods', 'crash-loop', 'restarts', 'init-stuck', 'init-crash', 'config-error', 'not-ready', 'other-trouble'],
  effectOf: ['controller-manager-down', 'clock-skew', 'kubelet-bootstrap-or-cert-expired', 'resource-claim-or-node-authorizer-denied'],

  text: {
    name: 'Service account token unavailable',
    title: 'Service account token or root certificate unavailable: {what}',
    why: 'A pod talks to the API with a token of its ServiceAccount and the root certificate of the cluster (ConfigMap kube-root-ca.crt), which the kubelet mounts as the volume {volume}. {mechanism}',
  },

  clues: {
    noToken: proves(noToken, ({ fields, channel }) => {
      const error = fields['error'] ?? '';
      return channel !== 'container-log' && !UNREACHABLE.test(error) && !NO_ACCOUNT.test(error);
    }),
    noRootCa: proves(noRootCa, ({ channel }) => channel !== 'container-log'),
    noApiToken: proves(noApiToken),
    notMounted: proves(notMounted),
    noServiceHost: supports(noServiceHost),
    notRegistered: supports(notRegistered),
    // To kubectl the API server says so of a kubeconfig.
    otherKey: supports(otherKey, ({ fields, channel }) => fields['asked'] === undefined || channel === 'container-log'),
    unreachable: excludes(unreachable),
    well: excludes('pod.status', isWell),
  },
  says: {
    noToken: 'the kubelet gets no token for the pod{error}',
    noRootCa: 'the ConfigMap kube-root-ca.crt is not in the namespace',
    noApiToken: 'the ServiceAccount {account} has no token',
    notMounted: 'the program finds no {file} of its ServiceAccount',
    noServiceHost: 'the program does not see that it runs in a cluster',
    notRegistered: 'the kubelet has not got its token or root certificate yet',
    otherKey: 'the API server does not accept tokens that were issued',
    unreachable: 'the kubelet cannot reach the API server at all',
    well: 'the pod runs and is ready',
  },
  slots: (place, { noToken: token, noRootCa: ca, noApiToken: account, notMounted: file, otherKey: key }) => {
    const error = token?.fields['error']?.replaceAll('\\', '').slice(0, 200);
    const missing = file?.fields['file'] ?? file?.fields['node'] ?? 'token';
    const name = account?.fields['account'];
    const { what, mechanism } = token
      ? {
          what: `the kubelet cannot get a token for the pod${error ? `: ${error}` : ''}`,
          mechanism: 'The API server does not issue the token, so the volume cannot be mounted and the containers are not started.',
        }
      : ca
        ? {
            what: 'ConfigMap kube-root-ca.crt is missing, so the volume cannot be mounted',
            mechanism:
              'The controller manager publishes that ConfigMap into every namespace (root-ca-cert-publisher); it was deleted, or the controller manager does not run or has no --root-ca-file.',
          }
        : account
          ? {
              what: `ServiceAccount ${name} has no API token, so no pod can be created with it`,
              mechanism:
                'The token controller of the controller manager has not made one: it does not run, or it has no signing key (--service-account-private-key-file).',
            }
          : file
            ? {
                what: `${missing} is not mounted into the container`,
                mechanism:
                  'It is not there in this container: automountServiceAccountToken is false for the pod or its ServiceAccount, the ServiceAccount admission is off, or another volume hides the path.',
              }
            : key
              ? refusalOf(key.fields)
              : { what: 'the pod does not get them', mechanism: 'It is not there yet.' };
    return {
      ...namesOf(place),
      what,
      mechanism,
      volume: token?.fields['volume'] ?? 'kube-api-access-…',
      error: error ? `: ${error}` : '',
      account: name ?? 'default',
      file: missing,
    };
  },

  fixes: [
    {
      say: 'See whether root certificate and token can be had in that namespace',
      risk: 'reads-only',
      steps: [
        {
          say: 'the ConfigMap and the ServiceAccount',
          run: 'kubectl -n {{namespace}} get configmap kube-root-ca.crt; kubectl -n {{namespace}} get sa {{account}} -o yaml',
          on: 'cluster',
        },
        {
          say: 'ask for a token',
          run: 'kubectl -n {{namespace}} create token {{account}} --duration=10m >/dev/null && echo issued',
          on: 'cluster',
        },
        {
          say: 'the controller manager that publishes them',
          run: 'kubectl -n kube-system get pods -l component=kube-controller-manager -o wide',
          on: 'cluster',
        },
        {
          say: 'whether the pod wants one',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE 'automountServiceAccountToken|serviceAccountName'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Repair the controller manager: it publishes kube-root-ca.crt and signs tokens',
      risk: 'touches-node',
      for: ['noRootCa', 'noToken', 'noApiToken'],
      steps: [
        {
          say: '--root-ca-file and --service-account-private-key-file must be set and readable, the clock right',
          run: "grep -E 'root-ca-file|service-account' /etc/kubernetes/manifests/kube-controller-manager.yaml /etc/kubernetes/manifests/kube-apiserver.yaml; date -u",
          on: 'node',
        },
        { say: 'then let the pod be made anew', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' },
      ],
      verified: 'kube-root-ca.crt is in the namespace and the volume is mounted',
    },
    {
      say: 'Tokens the API server refuses: make sure that both keys are one pair on every control plane, then let pods get new tokens',
      risk: 'restarts-pods',
      for: ['otherKey'],
      steps: [
        {
          say: 'both lines must be equal, and equal on all control planes (--service-account-key-file of the API server, --service-account-private-key-file of the controller manager)',
          run: 'openssl rsa -in /etc/kubernetes/pki/sa.key -pubout 2>/dev/null | sha256sum; sha256sum /etc/kubernetes/pki/sa.pub',
          on: 'node',
        },
        {
          say: 'tokens in Secrets of clusters from before 1.24 are made anew when deleted',
          run: 'kubectl -n {{namespace}} delete secrets --field-selector type=kubernetes.io/service-account-token',
          on: 'cluster',
        },
        { say: 'who still carries an old one', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' },
      ],
      verified: 'the log of the API server has no new line "Unable to authenticate the request"',
    },
    {
      say: 'Let the token be mounted: automountServiceAccountToken true in the pod or its ServiceAccount',
      risk: 'restarts-pods',
      for: ['notMounted', 'noServiceHost'],
      steps: [
        {
          say: 'in the pod template; the setting of the pod wins over that of the account',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'the file /var/run/secrets/kubernetes.io/serviceaccount/token is in the container',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes pkg/kubelet/token/token_manager.go, pkg/volume/projected/projected.go',
    'kubernetes pkg/controller/certificates/rootcacertpublisher/publisher.go',
    'kubernetes plugin/pkg/admission/serviceaccount/admission.go; client-go rest/config.go',
  ],
});
