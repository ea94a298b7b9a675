import {
  defineCause,
  excludes,
  isOneOf,
  line,
  minutes,
  NAMED_VOLUME,
  namesOf,
  needs,
  notByContainers,
  on,
  proves,
  supports,
  withContext,
} from '../../define-cause.ts';

const PRINTED_BY = ['pod-events', 'kubelet-log', 'pod-spec'] as const;

const notFound = line(
  ['secret "', 'secrets "', 'secret \\"', 'secrets \\"'],
  PRINTED_BY,
  withContext(/\bsecrets? \\*"(?<name>[^"\\\s]{1,253})\\*" not found/, { may: [NAMED_VOLUME] }),
);
/** Storage drivers drop the reason; a Secret that is not there is the usual one. */
const couldNotGet = line(
  ["couldn't get secret", 'could not get secret', 'failed to get secret', 'failed to find the secret'],
  PRINTED_BY,
  /(?:(?:couldn't|could not|failed to) get secret|failed to find the secret) \\*"?(?<name>[\w.-]{1,253}(?:\/[\w.-]{1,253})?)/i,
);
const keyMissing = line(
  ["couldn't find key", 'non-existent secret key'],
  [],
  /couldn't find key \S{1,253} in Secret|non-existent secret key/i,
);
const mayNotRead = line('secrets "', [], /\bsecrets \\*"[^"\\\s]{1,253}\\*" is forbidden/i);

export const cause = defineCause({
  id: 'secret-missing',
  area: 'config',
  at: 'Workload',
  maturity: 'stable',
  explains: ['config-error', 'creating', 'init-stuck'],
  // Operators write the Secret from what they can decrypt or fetch.
  effectOf: ['external-secret-not-synced', 'sealed-secret-not-decryptable'],
  wakesOn: [on('pod.symptom', { symptom: 'config-error' }), on('pod.symptom', { symptom: 'creating' })],

  text: {
    name: 'Secret does not exist',
    title: 'Secret {name} does not exist in {where}',
    why: 'The pod refers to the Secret {name} {how}, and it is not found: it was never created, has another name or namespace, or whoever should issue it (cert-manager, an operator, a Helm hook) has not done so. The kubelet does not start the containers until the Secret exists.',
  },

  clues: {
    stuck: needs('pod.symptom', isOneOf('config-error', 'creating', 'init-stuck')),
    missing: proves(notFound, notByContainers),
    driver: supports(couldNotGet, notByContainers),
    key: excludes(keyMissing),
    forbidden: excludes(mayNotRead),
  },
  says: {
    stuck: 'a pod cannot start its containers',
    missing: 'the kubelet does not find the Secret {name}',
    driver: 'a storage driver cannot get Secret {name}; most likely there is none',
    key: 'the Secret is there, only a key of it is missing',
    forbidden: 'the Secret may exist, but reading it is forbidden',
  },
  slots: (place, { missing, driver }) => {
    const [first = '', second] = (driver?.fields['name'] ?? '').split('/');
    const told = second === undefined ? undefined : first;
    const namespace = (missing === undefined ? told : undefined) ?? place.namespace ?? '?';
    const volume = missing?.fields['volume'];
    return {
      ...namesOf({ ...place, namespace }),
      name: missing?.fields['name'] ?? second ?? (first || 'it refers to'),
      volume: volume ?? '',
      how: volume === undefined ? '(as environment or for a volume)' : `for its volume ${volume}`,
    };
  },

  fixes: [
    {
      say: 'Find out why Secret {name} is not there: wrong name, other namespace, or its issuer does not work',
      risk: 'reads-only',
      steps: [
        { say: 'Secrets of the namespace; look for a near miss', run: 'kubectl -n {{namespace}} get secrets', on: 'cluster' },
        {
          say: 'the same name elsewhere does not count',
          run: 'kubectl get secrets --all-namespaces --field-selector metadata.name={{name}}',
          on: 'cluster',
        },
        {
          say: 'for a certificate: is it issued, and do the cert-manager pods run?',
          run: 'kubectl -n {{namespace}} get certificates,certificaterequests,issuers',
          on: 'cluster',
        },
        {
          say: 'for an external or sealed Secret: the state of what produces it',
          run: 'kubectl -n {{namespace}} get externalsecrets,sealedsecrets',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Create Secret {name} in {where}, or mend the controller that issues it; waiting pods go on by themselves',
      risk: 'restarts-pods',
      steps: [
        { say: 'a generic one', run: 'kubectl -n {{namespace}} create secret generic {{name}} --from-literal=KEY=VALUE', on: 'cluster' },
        {
          say: 'a certificate and its key',
          run: 'kubectl -n {{namespace}} create secret tls {{name}} --cert=tls.crt --key=tls.key',
          on: 'cluster',
        },
      ],
      verified: 'the pods leave their waiting state within two minutes',
    },
    {
      say: 'Or correct the name of the Secret in the pod template or volume, if another one is meant',
      risk: 'restarts-pods',
      steps: [
        { say: 'secretKeyRef.name, secretRef.name, secret.secretName, or the secret reference of the PersistentVolume', on: 'cluster' },
      ],
      changes: [
        { do: 'workload-set', field: 'volumes.{{volume}}.secret.secretName', value: { ask: 'secret', says: 'the Secret that is meant' } },
      ],
      verified: 'the pods leave their waiting state within two minutes',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/kubelet_pods.go (makeEnvironmentVariables)',
    'kubernetes pkg/volume/secret/secret.go',
    'kubernetes pkg/volume/csi/csi_util.go',
  ],
});
