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
  withContext,
} from '../../define-cause.ts';

const PRINTED_BY = ['pod-events', 'kubelet-log', 'pod-spec'] as const;

const noKey = line(
  "couldn't find key",
  PRINTED_BY,
  /couldn't find key (?<key>\S{1,253}) in Secret (?:(?<namespace>[^/\s"\\]{1,63})\/)?(?<name>[^\s"\\]{1,253})/i,
);
const noItem = line(
  'non-existent secret key',
  PRINTED_BY,
  withContext(/references non-existent secret key: (?<key>[^\s"\\]{1,253})/, { may: [NAMED_VOLUME] }),
);
const secretMissing = line(['secret "', 'secrets "'], [], /\bsecrets? \\*"[^"\\\s]{1,253}\\*" not found/i);

export const cause = defineCause({
  id: 'secret-key-missing',
  area: 'config',
  at: 'Workload',
  maturity: 'stable',
  explains: ['config-error', 'creating', 'init-stuck'],
  wakesOn: [on('pod.symptom', { symptom: 'config-error' }), on('pod.symptom', { symptom: 'creating' })],

  text: {
    name: 'Key missing in Secret',
    title: '{secret} has no key {key}, which the pod asks for',
    why: 'The Secret exists, but the key {key} the pod refers to is not in it (keys are compared letter by letter). The kubelet cannot fill in the value and does not create the container; it tries again until the key is there.',
  },

  clues: {
    stuck: needs('pod.symptom', isOneOf('config-error', 'creating', 'init-stuck')),
    variable: proves(noKey, notByContainers),
    item: proves(noItem, notByContainers),
    whole: excludes(secretMissing),
  },
  says: {
    stuck: 'a pod cannot start its containers',
    variable: 'the kubelet finds no key {key} in {secret}',
    item: 'a volume lists the key {key}, which the Secret does not have',
    whole: 'the whole Secret is missing, not only a key',
  },
  slots: (place, { variable, item }) => {
    const namespace = variable?.fields['namespace'] ?? place.namespace ?? '?';
    const name = variable?.fields['name'];
    const volume = item?.fields['volume'];
    return {
      key: variable?.fields['key'] ?? item?.fields['key'] ?? 'it refers to',
      secret: name !== undefined ? `Secret ${name}` : volume !== undefined ? `the Secret behind volume ${volume}` : 'the Secret',
      name: name ?? 'SECRET',
      namespace: namesOf({ ...place, namespace }).namespace,
      target: namesOf(place).target,
    };
  },

  fixes: [
    {
      say: 'Compare the keys that are there with the one asked for ({key})',
      risk: 'reads-only',
      steps: [
        { say: 'names and sizes of the keys, without the values', run: 'kubectl -n {{namespace}} describe secret {{name}}', on: 'cluster' },
      ],
    },
    {
      say: 'Add the key {key} to {secret}; the pods go on by themselves',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'better where the Secret comes from (chart, operator, external store); by hand, values stand under stringData',
          run: 'kubectl -n {{namespace}} edit secret {{name}}',
          on: 'cluster',
        },
      ],
      verified: 'the pods leave their waiting state within two minutes',
    },
    {
      say: 'Or correct the key in the pod template, or mark it optional',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'secretKeyRef.key, or items[].key of the volume; optional: true lets the container start without it',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/kubelet_pods.go (makeEnvironmentVariables)', 'kubernetes pkg/volume/secret/secret.go (MakePayload)'],
});
