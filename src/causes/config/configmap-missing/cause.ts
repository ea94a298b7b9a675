import {
  defineCause,
  excludes,
  isOneOf,
  line,
  minutes,
  NAMED_VOLUME,
  namesOf,
  needs,
  on,
  proves,
  withContext,
} from '../../define-cause.ts';

const PRINTED_BY = ['pod-events', 'kubelet-log', 'pod-spec'] as const;

const notFound = line(
  ['configmap "', 'configmaps "', 'configmap \\"', 'configmaps \\"'],
  PRINTED_BY,
  withContext(/\bconfigmaps? \\*"(?<name>[^"\\\s]{1,253})\\*" not found/, { may: [NAMED_VOLUME] }),
);
const keyMissing = line(
  ["couldn't find key", 'non-existent config key'],
  [],
  /couldn't find key \S{1,253} in ConfigMap|non-existent config key/i,
);

/** Published by the control plane into every namespace; its absence is a fault of the control plane. */
const ROOT_CA = 'kube-root-ca.crt';

export const cause = defineCause({
  id: 'configmap-missing',
  area: 'config',
  at: 'Workload',
  maturity: 'stable',
  explains: ['config-error', 'creating', 'init-stuck'],
  wakesOn: [on('pod.symptom', { symptom: 'config-error' }), on('pod.symptom', { symptom: 'creating' })],

  text: {
    name: 'ConfigMap does not exist',
    title: 'ConfigMap {name} does not exist in {where}',
    why: 'The pod refers to the ConfigMap {name} {how}, and there is no such object in its own namespace. The kubelet does not start a container before it has everything the container refers to; it tries again until the ConfigMap is created.',
  },

  clues: {
    stuck: needs('pod.symptom', isOneOf('config-error', 'creating', 'init-stuck')),
    missing: proves(notFound, ({ channel, fields }) => channel !== 'container-log' && fields['name'] !== ROOT_CA),
    key: excludes(keyMissing),
  },
  says: {
    stuck: 'a pod cannot start its containers',
    missing: 'the kubelet does not find the ConfigMap {name}',
    key: 'the ConfigMap is there, only a key of it is missing',
  },
  slots: (place, { missing }) => {
    const volume = missing?.fields['volume'];
    return {
      ...namesOf(place),
      name: missing?.fields['name'] ?? 'it refers to',
      volume: volume ?? '',
      how: volume === undefined ? '(as environment or as volume)' : `as its volume ${volume}`,
    };
  },

  fixes: [
    {
      say: 'Find out why ConfigMap {name} is not there: other name, other namespace, not applied',
      risk: 'reads-only',
      steps: [
        {
          say: 'ConfigMaps of the namespace; look for a near miss (typo, old hash suffix)',
          run: 'kubectl -n {{namespace}} get configmaps',
          on: 'cluster',
        },
        {
          say: 'the same name in another namespace does not count',
          run: 'kubectl get configmaps --all-namespaces --field-selector metadata.name={{name}}',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Create ConfigMap {name} in {where}; waiting pods go on by themselves',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'apply its manifest or install the chart that brings it; by hand, from a file',
          run: 'kubectl -n {{namespace}} create configmap {{name}} --from-file=FILE',
          on: 'cluster',
        },
      ],
      verified: 'the pods leave their waiting state within two minutes',
    },
    {
      say: 'Or correct the name in the pod template, if another ConfigMap is meant; mark it optional if the program can do without',
      risk: 'restarts-pods',
      steps: [
        { say: 'change configMap.name, configMapKeyRef.name or configMapRef.name in the template (or set optional: true)', on: 'cluster' },
      ],
      changes: [
        {
          do: 'workload-set',
          field: 'volumes.{{volume}}.configMap.name',
          value: { ask: 'configmap', says: 'the ConfigMap that is meant' },
        },
      ],
      verified: 'the pods leave their waiting state within two minutes',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/kubelet_pods.go (makeEnvironmentVariables)', 'kubernetes pkg/volume/configmap/configmap.go'],
});
