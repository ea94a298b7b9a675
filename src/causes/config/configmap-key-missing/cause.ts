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
  objectOf,
  on,
  proves,
  withContext,
} from '../../define-cause.ts';

const PRINTED_BY = ['pod-events', 'kubelet-log', 'pod-spec'] as const;

const noKey = line(
  "couldn't find key",
  PRINTED_BY,
  /couldn't find key (?<key>\S{1,253}) in ConfigMap (?:(?<namespace>[^/\s"\\]{1,63})\/)?(?<name>[^\s"\\]{1,253})/i,
);
const noItem = line(
  'non-existent config key',
  PRINTED_BY,
  withContext(/references non-existent config key: (?<key>[^\s"\\]{1,253})/, { may: [NAMED_VOLUME] }),
);
const mapMissing = line(['configmap "', 'configmaps "'], [], /\bconfigmaps? \\*"[^"\\\s]{1,253}\\*" not found/i);

export const cause = defineCause({
  id: 'configmap-key-missing',
  area: 'config',
  at: 'Workload',
  maturity: 'stable',
  explains: ['config-error', 'creating', 'init-stuck'],
  wakesOn: [on('pod.symptom', { symptom: 'config-error' }), on('pod.symptom', { symptom: 'creating' })],

  text: {
    name: 'Key missing in ConfigMap',
    title: '{map} has no key {key}, which the pod asks for',
    why: 'The ConfigMap exists, but the key {key} the pod refers to is not in it (keys are compared letter by letter). The kubelet cannot fill in the value and does not create the container; it tries again until the key is there.',
  },

  clues: {
    stuck: needs('pod.symptom', isOneOf('config-error', 'creating', 'init-stuck')),
    variable: proves(noKey, notByContainers),
    item: proves(noItem, notByContainers),
    whole: excludes(mapMissing),
  },
  says: {
    stuck: 'a pod cannot start its containers',
    variable: 'the kubelet finds no key {key} in {map}',
    item: 'a volume lists the key {key}, which the ConfigMap does not have',
    whole: 'the whole ConfigMap is missing, not only a key',
  },
  slots: (place, { variable, item }) => {
    const namespace = variable?.fields['namespace'] ?? place.namespace ?? '?';
    const name = variable?.fields['name'];
    const volume = item?.fields['volume'];
    return {
      key: variable?.fields['key'] ?? item?.fields['key'] ?? 'it refers to',
      map: name !== undefined ? `ConfigMap ${name}` : volume !== undefined ? `the ConfigMap behind volume ${volume}` : 'the ConfigMap',
      name: name ?? 'CONFIGMAP',
      object: objectOf({ type: 'ConfigMap', name: name ?? '', namespace }, 'ConfigMap'),
      lacking: /^[A-Za-z0-9][-\w.]{0,150}$/.test(variable?.fields['key'] ?? '') ? `${variable?.fields['key']}` : '',
      namespace: namesOf({ ...place, namespace }).namespace,
      target: namesOf(place).target,
    };
  },

  fixes: [
    {
      say: 'Compare the keys that are there with the one asked for ({key})',
      risk: 'reads-only',
      steps: [{ say: 'what the ConfigMap holds, key by key', run: 'kubectl -n {{namespace}} describe configmap {{name}}', on: 'cluster' }],
    },
    {
      say: 'Add the key {key} to {map}; the pods go on by themselves',
      risk: 'restarts-pods',
      steps: [
        { say: 'better in the manifest it comes from; by hand', run: 'kubectl -n {{namespace}} edit configmap {{name}}', on: 'cluster' },
      ],
      changes: [
        {
          do: 'object-set',
          object: '{{object}}',
          field: 'data.{{lacking}}',
          value: { ask: 'value', says: 'the value of {{lacking}}; no secret, which belongs into a Secret' },
        },
      ],
      verified: 'the pods leave their waiting state within two minutes',
    },
    {
      say: 'Or correct the key in the pod template, or mark it optional',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'configMapKeyRef.key, or items[].key of the volume; optional: true lets the container start without it',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/kubelet_pods.go (makeEnvironmentVariables)',
    'kubernetes pkg/volume/configmap/configmap.go (MakePayload)',
  ],
});
