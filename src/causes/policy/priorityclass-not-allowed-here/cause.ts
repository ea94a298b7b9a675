import { defineCause, excludes, line, minutes, namesOf, proves } from '../../define-cause.ts';

const SAID_BY = ['object-events', 'workload', 'control-plane-log', 'objects'] as const;

const scopes = line(
  ['insufficient quota to match these scopes'],
  SAID_BY,
  /insufficient quota to match these scopes: \[\{PriorityClass In \[(?<classes>[^\]\n]{1,300})\]/,
);
const reserved = line(
  ['priorityClass is not permitted in'],
  SAID_BY,
  /pods with (?<class>[\w.-]{1,253}) priorityClass is not permitted in (?<namespace>[\w-]{1,63}) namespace/,
);
const usedUp = line(['exceeded quota: '], [], /exceeded quota: \S{1,253}, requested: pods=/);

export const cause = defineCause({
  id: 'priorityclass-not-allowed-here',
  area: 'policy',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['no-pods', 'other-trouble'],

  text: {
    name: 'PriorityClass not allowed here',
    title: 'The pods of {name} may not use the PriorityClass {class} in {where}: no ResourceQuota allows it there',
    why: 'The cluster limits who may use {class} (the ResourceQuota admission has it under limitedResources, as on GKE; old versions keep system-… for kube-system): a pod may name it only in a namespace that has a ResourceQuota with the scope PriorityClass for it. {where} has none, so the API server refuses every pod, and the controller only reports FailedCreate.',
  },

  clues: {
    scopes: proves(scopes),
    reserved: proves(reserved),
    usedUp: excludes(usedUp),
  },
  says: {
    scopes: 'no quota of the namespace matches the scope PriorityClass: {class}',
    reserved: 'the PriorityClass {class} is kept for other namespaces',
    usedUp: 'there is such a quota, and it is used up',
  },
  slots: (place, { scopes: limited, reserved: kept }) => {
    const names = namesOf(place);
    const inside = kept?.fields['namespace'];
    const all = limited?.fields['classes']?.trim().split(/[\s,]{1,10}/) ?? [];
    return {
      ...names,
      namespace: inside ?? names.namespace,
      where: inside ? `namespace ${inside}` : names.namespace === 'NAMESPACE' ? 'its namespace' : `namespace ${names.namespace}`,
      name: place.kind === 'Workload' && place.name !== 'the workload' ? place.name : 'the workload',
      class: kept?.fields['class'] ?? (all.length > 0 ? all.join(' or ') : 'of the system'),
      one: kept?.fields['class'] ?? all[0] ?? 'system-node-critical',
    };
  },

  fixes: [
    {
      say: 'Allow the class in this namespace: give it a ResourceQuota with that scope',
      risk: 'restarts-pods',
      steps: [
        { say: 'quotas that are there', run: 'kubectl get resourcequota -A', on: 'cluster' },
        {
          say: 'one that allows it',
          run: `kubectl -n {{namespace}} apply -f - <<'EOT'
apiVersion: v1
kind: ResourceQuota
metadata: {name: critical-pods}
spec:
  hard: {pods: "1000"}
  scopeSelector:
    matchExpressions: [{operator: In, scopeName: PriorityClass, values: [{{one}}]}]
EOT`,
          on: 'cluster',
        },
      ],
      verified: 'the controller has the event SuccessfulCreate',
    },
    {
      say: 'Or take another priority: leave out priorityClassName, name a class of your own, or move the workload to kube-system',
      risk: 'restarts-pods',
      steps: [{ say: 'spec.template.spec.priorityClassName', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      verified: 'the controller has the event SuccessfulCreate',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go (limitedResources)',
    'kubernetes plugin/pkg/admission/priority/admission.go (up to 1.16)',
  ],
});
