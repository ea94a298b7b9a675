import { defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['container-log', 'pod-events', 'object-events'] as const;
/** Karpenter goes through all its pools for a pod and tells of each why it is out. */
const unknownLabel = line(
  'does not have known values',
  SAID_BY,
  /(?:incompatible with (?:nodepool|provisioner) [\\"]{0,8}(?<pool>[\w.-]{1,253})[\s\S]{0,300}?)?label [\\"]{1,8}(?<label>[\w./-]{1,253})[\\"]{1,8} does not have known values/,
);
const taint = line(
  ['did not tolerate ', 'did not tolerate taint'],
  SAID_BY,
  /(?:incompatible with (?:nodepool|provisioner) [\\"]{0,8}(?<pool>[\w.-]{1,253})[\s\S]{0,300}?)?did not tolerate (?:taint \(taint=)?(?<taint>[\w./-]{1,253}(?:=[\w.-]{0,63})?:(?:NoSchedule|NoExecute|PreferNoSchedule))/,
);
const tooBig = line(
  ['no instance type satisfied resources', 'no instance type has enough resources', 'no instance type which', 'no instance type met'],
  SAID_BY,
  /no instance type (?:satisfied resources (?<resources>\{[^}\n]{2,400}\})|has enough resources|which [^\n;)]{5,160}|met [^\n;)]{5,160})/,
);
const requirement = line(
  ['incompatible with nodepool', 'incompatible with provisioner', 'incompatible requirements, key'],
  SAID_BY,
  /incompatible with (?:nodepool|provisioner) [\\"]{0,8}(?<pool>[\w.-]{1,253})[\s\S]{0,400}?(?:incompatible requirements, )?key (?<key>[\w./-]{1,253}), /,
);
const filtered = line(
  ['requirements filtered out all'],
  SAID_BY,
  /(?:nodepool|provisioner) requirements filtered out all [\w ]{0,40}instance types/i,
);
const noOption = line(
  ['No expansion options', "didn't trigger scale-up"],
  ['container-log', 'pod-events'],
  /No expansion opti{1,2}ons|didn't trigger scale-up(?: \([^)\n]{0,80}\))?: (?<why>[^\n]{1,200})/,
);
const full = line(
  [
    'exceed limits for nodepool',
    'exceed limits for provisioner',
    'node limits have been exhausted',
    'max node group size reached',
    'max size reached',
    'max limit reached',
  ],
  [],
);

export const cause = defineCause({
  id: 'node-pools-do-not-fit',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['pending', 'no-pods', 'other-trouble'],

  text: {
    name: 'No node pool fits the pod',
    title: '{scaler} adds no node for {name}: no {group} fits it ({what})',
    why: '{scaler} makes a node only when one {group} can give what the pod demands: every label of its nodeSelector and affinity, a toleration for every taint of the pool, and machines that are large enough beside the DaemonSets. Here none can: {what}. The pod stays Pending, however much room the cloud has.',
  },

  clues: {
    unknownLabel: proves(unknownLabel),
    taint: proves(taint),
    tooBig: proves(tooBig),
    requirement: proves(requirement),
    filtered: supports(filtered),
    noOption: supports(noOption),
    full: excludes(full),
    well: excludes('pod.status', isWell),
  },
  says: {
    unknownLabel: 'the pod demands the label {label}, which no NodePool sets',
    taint: 'the pod does not tolerate the taint {taint} of the pool',
    tooBig: 'no instance type of the pools is large enough: {resources}',
    requirement: 'what the pod demands of {key} is not what the pool {pool} gives',
    filtered: 'the requirements of a NodePool leave no instance type at all',
    noOption: 'the autoscaler finds no group that would help: {unmet}',
    full: 'a pool or group fits, but its limits are reached',
    well: 'the pod runs',
  },
  slots: (place, { unknownLabel: noLabel, taint: kept, tooBig: large, requirement: other, filtered: empty, noOption: none }) => {
    const isKarpenter = noLabel !== undefined || kept !== undefined || large !== undefined || other !== undefined || empty !== undefined;
    const unmet = (none?.fields['why'] ?? 'no group would help').trim().slice(0, 160);
    const label = noLabel?.fields['label'] ?? 'of its nodeSelector';
    const resources = (large?.fields['resources'] ?? 'what it asks for').replace(/\\+"/g, '"').slice(0, 160);
    const key = other?.fields['key'] ?? 'a label';
    return {
      ...namesOf(place),
      name: place.kind === 'Workload' ? place.name : 'the pod',
      pool: noLabel?.fields['pool'] ?? kept?.fields['pool'] ?? other?.fields['pool'] ?? 'the pools',
      label,
      taint: kept?.fields['taint'] ?? 'of the pool',
      resources,
      key,
      what: noLabel
        ? `it demands the label ${label}, which no NodePool sets`
        : large
          ? `no instance type offers ${resources}`
          : kept
            ? `it does not tolerate the taint ${kept.fields['taint'] ?? ''}`
            : empty && !other
              ? 'the requirements of the NodePool leave no instance type that is offered here'
              : isKarpenter
                ? `its demand on ${key} is not met`
                : unmet,
      unmet,
      scaler: isKarpenter ? 'Karpenter' : 'The autoscaler',
      group: isKarpenter ? 'NodePool' : 'node group',
    };
  },

  fixes: [
    {
      say: 'Lay side by side what the pod demands and what the pools give',
      risk: 'reads-only',
      steps: [
        {
          say: 'labels, taints, instance types and limits of the pools',
          run: 'kubectl get nodepools -o yaml 2>/dev/null || kubectl get provisioners -o yaml',
          on: 'cluster',
        },
        {
          say: 'cluster autoscaler: its groups and their sizes',
          run: 'kubectl -n kube-system get configmap cluster-autoscaler-status -o yaml',
          on: 'cluster',
        },
        {
          say: 'what the pod asks for',
          run: 'kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A8 "nodeSelector|affinity|tolerations|resources:"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Correct the pod: a label that the pools know, a toleration, or smaller requests',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'labels of other node groups (eks.amazonaws.com/nodegroup, a name of your own) are known to no NodePool unless its template sets them',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'Karpenter says that it computed a new NodeClaim for the pod, and the pod is scheduled',
    },
    {
      say: 'Or let a NodePool give it: the label in spec.template.metadata.labels, the values in spec.template.spec.requirements, larger instance types',
      risk: 'moves-pods',
      steps: [{ say: 'the pool that is meant for it', run: 'kubectl edit nodepool NAME', on: 'cluster' }],
      verified: 'Karpenter says that it computed a new NodeClaim for the pod, and the pod is scheduled',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes-sigs/karpenter pkg/controllers/provisioning/scheduling (scheduler.go, nodeclaim.go), pkg/scheduling/requirements.go, taints.go',
    'kubernetes/autoscaler cluster-autoscaler/core/scaleup/orchestrator',
  ],
});
