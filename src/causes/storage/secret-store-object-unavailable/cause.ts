import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'kubelet-log', 'container-log'] as const;
const noProvider = line(
  ['error connecting to provider', 'provider not found: provider'],
  SAID_BY,
  withContext(/error connecting to provider [\\"]{1,4}(?<provider>[\w-]{1,60})[\\"]{1,4}: (?<error>[^\n]{3,160})/, { may: [NAMED_VOLUME] }),
);
const noClass = line(
  ['failed to get secretproviderclass', 'SecretProviderClass.secrets-store.csi.x-k8s.io'],
  SAID_BY,
  withContext(/failed to get secretproviderclass (?<class>[\w./-]{1,253}),? ?[^\n]{0,200}?not found/, { may: [NAMED_VOLUME] }),
);
const noObject = line(
  ['failed to mount secrets store objects', 'failed to mount objects', 'SecretNotFound', 'error making mount request'],
  SAID_BY,
  withContext(
    /(?<error>SecretNotFound[^\n]{0,120}|ResourceNotFoundException[^\n]{0,120}|Secrets Manager can't find the specified secret|(?:A )?secret with \(name\/id\) [^\n]{1,120} was not found|(?:Secret|secret|SecretVersion) \[?[\w./:-]{1,200}\]? (?:was )?not found[^\n]{0,60}|NotFound desc = Secret[^\n]{0,120}|failed to fetch secret from all regions[^\n]{0,120})/,
    { may: [NAMED_VOLUME, /objectName:(?<object>[\w./-]{1,200})/] },
  ),
);
const refused = line(
  ['failed to mount secrets store objects', 'error making mount request'],
  SAID_BY,
  withContext(
    /(?<error>failed to login: [^\n]{3,160}|[^\n]{0,80}Code: 40[03]\. Errors:[^\n]{0,120}|permission denied[^\n]{0,60}|Status=403 Code=[^\n]{3,120}|service account name not authorized|invalid role name [^\n]{1,80})/,
    { may: [NAMED_VOLUME] },
  ),
);
const said = line(
  ['failed to mount secrets store objects for pod'],
  SAID_BY,
  withContext(/failed to mount secrets store objects for pod [^\s,]{1,400}, err(?:or)?: (?<text>[^\n]{3,300})/, { may: [NAMED_VOLUME] }),
);
// No channel: a container that was started has its volumes.
const started = excludes('pod.event', ({ reason }) => reason === 'Started');

export const cause = defineCause({
  id: 'secret-store-object-unavailable',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'other-trouble'],
  effectOf: ['cloud-credentials-refused', 'csi-driver-not-registered'],

  text: {
    name: 'Secret store does not give the secret',
    title: 'The secrets of volume {volume} cannot be fetched: {what}',
    why: 'The pod mounts secrets from an outside store (Key Vault, Secrets Manager, Vault …) through the Secrets Store CSI driver: its SecretProviderClass names the objects, and the provider pod on the node fetches them with the identity of the pod. Here {what}. Without them the kubelet does not start the containers.',
  },

  clues: {
    noProvider: proves(noProvider),
    noClass: proves(noClass),
    noObject: proves(noObject),
    refused: proves(refused),
    said: supports(said),
    started,
  },
  says: {
    noProvider: 'the provider {provider} does not answer on this node',
    noClass: 'the SecretProviderClass {class} does not exist',
    noObject: 'the store has no such object: {error}',
    refused: 'the store refuses the identity of the pod: {error}',
    said: 'the driver says: {text}',
    started: 'its containers were started since',
  },
  slots: (place, { noProvider: provider, noClass: missing, noObject: gone, refused: denied, said: words }) => {
    const text = words?.fields['text']?.replace(/\s+/g, ' ').trim().slice(0, 200);
    const error = (gone ?? denied ?? provider)?.fields['error']?.replace(/\s+/g, ' ').trim().slice(0, 160) ?? 'see its message';
    return {
      ...namesOf(place),
      volume: (provider ?? missing ?? gone ?? denied ?? words)?.fields['volume'] ?? 'of the pod',
      provider: provider?.fields['provider'] ?? 'of the store',
      class: missing?.fields['class'] ?? 'of the volume',
      error,
      text: text ?? 'see its log',
      what: provider
        ? `no provider ${provider.fields['provider'] ?? 'of the store'} runs on the node (${error})`
        : missing
          ? `the SecretProviderClass ${missing.fields['class'] ?? 'it names'} does not exist in the namespace of the pod`
          : gone
            ? `the store has no such secret${gone.fields['object'] ? ` (${gone.fields['object']})` : ''}: ${error}`
            : denied
              ? `the store does not let the identity of the pod read it: ${error}`
              : (text ?? 'the provider fails'),
    };
  },

  fixes: [
    {
      say: 'Compare what the class asks for with what the store has, and see the log of the provider',
      risk: 'reads-only',
      steps: [
        {
          say: 'the classes of this namespace (a class of another one does not count)',
          run: 'kubectl -n {{namespace}} get secretproviderclass -o yaml',
          on: 'cluster',
        },
        {
          say: 'driver and provider pods on every node, and their logs',
          run: 'kubectl get pods -A -o wide | grep -iE "secrets-store|provider-(azure|aws|gcp)|vault-csi"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Create what is missing: the SecretProviderClass in the namespace of the pod, the object under that name in the store, or the provider DaemonSet (with a toleration for the taints of the node)',
      risk: 'reads-only',
      for: ['noProvider', 'noClass', 'noObject'],
      steps: [
        {
          say: 'namespace and name must be those the pod uses',
          run: 'kubectl -n {{namespace}} apply -f secretproviderclass.yaml',
          on: 'cluster',
        },
        {
          say: 'DaemonSets of driver and provider',
          run: 'kubectl get daemonsets -A | grep -iE "secrets-store|provider|vault"',
          on: 'cluster',
        },
      ],
      verified: 'the pod mounts the volume by itself within two minutes',
    },
    {
      say: 'Refused: give the identity of the pod the right to read (access policy or role on the vault, IAM policy, Vault role bound to its service account and namespace)',
      risk: 'reads-only',
      for: ['refused'],
      steps: [
        {
          say: 'which identity the pod has',
          run: 'kubectl -n {{namespace}} get serviceaccounts -o yaml | grep -E "name:|role-arn|client-id|gcp-service-account"',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes-sigs/secrets-store-csi-driver pkg/secrets-store/nodeserver.go, provider_client.go',
    'Azure/secrets-store-csi-driver-provider-azure; aws/secrets-store-csi-driver-provider-aws; hashicorp/vault-csi-provider',
  ],
});
