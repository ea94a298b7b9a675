import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const SAID_BY = ['object-events', 'container-log', 'objects'] as const;

const noKey = line(
  ['no key could decrypt secret', 'Failed to unseal: '],
  SAID_BY,
  /no key could decrypt secret(?: \((?<keys>[^)\n]{1,200})\))?/,
);
const event = line(
  ['Kind:"SealedSecret"'],
  SAID_BY,
  /Kind:"SealedSecret", Namespace:"(?<namespace>[\w-]{1,63})", Name:"(?<name>[\w.-]{1,253})"[^\n]{0,400}?(?:ErrUnsealFailed|Failed to unseal|no key could decrypt)/,
);
const owned = line(
  ['already exists and is not managed by SealedSecret'],
  SAID_BY,
  /Resource [\\"]{1,4}(?<name>[\w.-]{1,253})[\\"]{1,4} already exists and is not managed by SealedSecret/,
);
const damaged = line(['Failed to unseal: '], [], /Failed to unseal: (?:illegal base64|unexpected end of|error unmarshal|json: )/);

export const cause = defineCause({
  id: 'sealed-secret-not-decryptable',
  area: 'config',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['config-error', 'creating', 'other-trouble', 'failed'],

  text: {
    name: 'SealedSecret cannot be unsealed',
    title: 'The SealedSecret {name} cannot be turned into a Secret: {what}',
    why: 'kubeseal encrypts for one controller key and, unless told otherwise, for one name and one namespace. {mechanism} Pods that need the Secret stay in CreateContainerConfigError or ContainerCreating.',
  },

  clues: {
    noKey: proves(noKey),
    owned: proves(owned),
    event: proves(event),
    damaged: excludes(damaged),
  },
  says: {
    noKey: 'no key of the controller decrypts it',
    owned: 'a Secret of that name exists and belongs to somebody else',
    event: 'the controller gives up the SealedSecret {name}',
    damaged: 'the sealed text itself is damaged',
  },
  slots: (_place, { noKey: locked, owned: taken, event: told }) => {
    const name = told?.fields['name'] ?? taken?.fields['name'];
    const exists = taken !== undefined && locked === undefined;
    return {
      name: name ?? '(not named here)',
      secret: name ?? 'NAME',
      namespace: told?.fields['namespace'] ?? 'NAMESPACE',
      what: exists ? 'a Secret of that name exists already' : 'the controller has no key that decrypts it',
      mechanism: exists
        ? 'The controller does not overwrite a Secret that it did not make.'
        : 'None of its keys fits: it was sealed for another cluster or an older installation of the controller (whose keys were not restored), or its name or namespace was changed after sealing, or two controllers run.',
    };
  },

  fixes: [
    {
      say: 'See which keys the controller has, and whether only one controller runs',
      risk: 'reads-only',
      steps: [
        { say: 'its keys, with their age', run: 'kubectl get secrets -A -l sealedsecrets.bitnami.com/sealed-secrets-key', on: 'cluster' },
        { say: 'controllers', run: 'kubectl get pods -A | grep sealed-secrets', on: 'cluster' },
      ],
    },
    {
      say: 'Seal it again with the certificate of this controller, for the name and namespace it will have',
      risk: 'restarts-pods',
      steps: [
        {
          say: '--scope namespace-wide or cluster-wide where name or namespace change (Kustomize suffixes)',
          run: 'kubectl -n {{namespace}} create secret generic {{secret}} --from-env-file=secret.env --dry-run=client -o yaml | kubeseal -o yaml > sealed.yaml && kubectl apply -f sealed.yaml',
          on: 'cluster',
        },
      ],
      verified: 'the SealedSecret is Synced and the Secret exists',
    },
    {
      say: 'Or give the controller its old keys back from the backup, and restart it',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'keys are read at the start only',
          run: 'kubectl apply -f sealed-secrets-keys.yaml && kubectl -n kube-system rollout restart deployment sealed-secrets-controller',
          on: 'cluster',
        },
      ],
      verified: 'the SealedSecret is Synced and the Secret exists',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['sealed-secrets pkg/crypto/crypto.go, pkg/controller/controller.go'],
});
