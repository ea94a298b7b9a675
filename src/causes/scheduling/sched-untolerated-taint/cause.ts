import {
  accountsForAll,
  defineCause,
  excludes,
  leadsAmongOthers,
  leadsIn,
  line,
  minutes,
  namesOf,
  needs,
  othersIn,
  proves,
  supports,
} from '../../define-cause.ts';

const refused = line(
  ['had untolerated taint', 'had taint', 'PodToleratesNodeTaints'],
  ['pod-events', 'pod-status', 'control-plane-log'],
  /(?<refusal>(?:\d{1,6}\/\d{1,6} )?nodes are available[^\n]{0,4000})/,
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

/** A cordoned node carries the taint `unschedulable`; that is another fault. */
const OWN = /^(?!.*node\.kubernetes\.io\/unschedulable).*(?:had untolerated taint|had taints? |PodToleratesNodeTaints)/;
const TAINT = /\{(?<taint>[^{}]{1,300})\}/;
const CONTROL_PLANE = /node-role\.kubernetes\.io\/(?:control-plane|controlplane|master|etcd)/;

/** The control plane puts these on nodes that are not well: then the node is the trouble, not the missing toleration. */
const AILMENTS: readonly (readonly [key: RegExp, ailment: string])[] = [
  [/node\.kubernetes\.io\/not-ready/, 'nodes are NotReady'],
  [/node\.kubernetes\.io\/unreachable/, 'nodes are unreachable, their kubelet is silent'],
  [/node\.kubernetes\.io\/disk-pressure/, 'nodes are under disk pressure, their disk is nearly full'],
  [/node\.kubernetes\.io\/memory-pressure/, 'nodes are under memory pressure'],
  [/node\.kubernetes\.io\/pid-pressure/, 'nodes are under PID pressure, short of process ids'],
  [/node\.kubernetes\.io\/network-unavailable/, 'nodes have no working pod network'],
  [/node\.kubernetes\.io\/out-of-service/, 'nodes were declared out of service'],
  [/node\.cloudprovider\.kubernetes\.io\/uninitialized/, 'nodes are not initialised by the cloud controller manager'],
];

/** What the well-known keys stand for: most are set by the control plane and go away with their reason. */
const MEANING: readonly (readonly [key: RegExp, meaning: string])[] = [
  [/node\.kubernetes\.io\/not-ready/, ' This taint stands on nodes that are NotReady: cure the node, and it goes away by itself.'],
  [
    /node\.kubernetes\.io\/unreachable/,
    ' This taint stands on nodes whose kubelet is silent: bring the node back, and it goes away by itself.',
  ],
  [
    /node\.kubernetes\.io\/disk-pressure/,
    ' This taint stands on nodes that run out of disk space: free the disk, and it goes away by itself.',
  ],
  [
    /node\.kubernetes\.io\/memory-pressure/,
    ' This taint stands on nodes that run out of memory: relieve them, and it goes away by itself.',
  ],
  [/node\.kubernetes\.io\/pid-pressure/, ' This taint stands on nodes that run out of process ids.'],
  [/node\.kubernetes\.io\/network-unavailable/, ' This taint stands on nodes without a working pod network (CNI or cloud routes).'],
  [
    /node\.cloudprovider\.kubernetes\.io\/uninitialized/,
    ' This taint waits for the cloud controller manager, which has not initialised the node.',
  ],
  [
    CONTROL_PLANE,
    ' It keeps ordinary pods off control-plane nodes: a worker node is missing, or this cluster means to use its control plane for pods.',
  ],
];

export const cause = defineCause({
  id: 'sched-untolerated-taint',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'stable',
  explains: ['pending'],
  effectOf: ['node-unreachable', 'cni-not-initialised', 'cloud-controller-uninitialised', 'evicted-disk-pressure'],

  text: {
    name: 'Untolerated taint',
    title: '{name} gets no node: {what}',
    why: 'The pod has no toleration for {taints} on {count} nodes, so the scheduler may not place it on those nodes and it stays Pending.{meaning}',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    leading: needs('pod.unschedulable', leadsIn(OWN)),
    sole: proves('pod.unschedulable', accountsForAll(OWN)),
    message: supports(refused),
    beside: supports('pod.unschedulable', leadsAmongOthers(OWN)),
    tolerates: supports('pod.scheduling', ({ tolerations }) => (tolerations ?? []).length > 0),
    placed: excludes(placed),
  },
  says: {
    pending: 'the pod waits for a node',
    leading: 'no other reason holds back more of the nodes it may use',
    sole: 'this reason alone keeps it from all nodes',
    message: 'the scheduler says: {count} nodes have a taint it does not tolerate',
    beside: 'nodes are out for other reasons too: {others}',
    tolerates: 'it tolerates only {tolerations}',
    placed: 'it has been placed since; the refusals are over',
  },
  slots: (place, { leading, beside, tolerates }) => {
    const own = (leading?.reasons ?? []).filter(({ text }) => OWN.test(text));
    const taints = own.flatMap(({ text }) => TAINT.exec(text)?.groups?.['taint']?.trim().replace(/: ?$/, '') ?? []);
    const of = leading?.nodes ? ` of ${leading.nodes}` : '';
    const total = own.reduce((sum, { count }) => sum + count, 0);
    const count = `${total || 'all'}${of}`;
    const ailments = AILMENTS.filter(([key]) => taints.some((taint) => key.test(taint))).map(([, ailment]) => ailment);
    const first =
      taints.find((taint) => AILMENTS.some(([key]) => key.test(taint))) ??
      taints.find((taint) => !CONTROL_PLANE.test(taint)) ??
      taints[0] ??
      '';
    return {
      others: othersIn(beside ?? leading, OWN),
      ...namesOf(place),
      name: place.name,
      count,
      taints: taints.join(', ') || 'the taints',
      what:
        ailments.length > 0
          ? `${ailments.join(', ')} (untolerated taint ${taints.join(', ')} on ${count} nodes)`
          : taints.length > 0
            ? `it does not tolerate the taint ${taints.join(', ')} (${count} nodes)`
            : `it does not tolerate the taints of ${count} nodes`,
      key: first.split(':')[0] || 'KEY',
      // Taints of the control plane for a sick node are no matter of tolerations.
      tolerated: /^node\.(?:cloudprovider\.)?kubernetes\.io\//.test(first)
        ? ''
        : (/^[A-Za-z0-9][\w./-]{0,300}(?=:|$)/.exec(first)?.[0] ?? ''),
      meaning: MEANING.find(([key]) => key.test(first))?.[1] ?? '',
      tolerations:
        (tolerates?.tolerations ?? [])
          .map((toleration) => toleration.split(' ')[0])
          .slice(0, 3)
          .join(', ') || 'the default ones',
    };
  },

  fixes: [
    {
      say: 'See which nodes carry it and why: a taint named after a condition goes away when the node is cured',
      risk: 'reads-only',
      steps: [
        {
          say: 'the nodes and their taints',
          run: "kubectl get nodes -o custom-columns='NODE:.metadata.name,TAINTS:.spec.taints'",
          on: 'cluster',
        },
        {
          say: 'conditions and events of a node that is not well',
          run: "kubectl get nodes; kubectl describe nodes | grep -E '^Name:|^Taints:|Ready |Pressure |NetworkUnavailable'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'If the pod belongs there: add a toleration for {taints} to {name}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'see the taints of all nodes',
          run: "kubectl get nodes -o custom-columns='NODE:.metadata.name,TAINTS:.spec.taints'",
          on: 'cluster',
        },
        {
          say: 'under spec.template.spec.tolerations add the key {key}, its value and effect',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [{ do: 'workload-add', field: 'tolerations', value: { key: '{{tolerated}}', operator: 'Exists' } }],
      verified: 'the pod has the event Scheduled',
    },
    {
      say: 'If the taint is not wanted: remove the taint from the node, or add a node without it',
      risk: 'moves-pods',
      steps: [
        {
          say: 'taints named after a condition of the node return until the condition is cured',
          run: "kubectl describe nodes | grep -E '^Name:|^Taints:|Ready |Pressure '",
          on: 'cluster',
        },
        {
          say: 'remove a taint that somebody set by hand; the minus at the end removes',
          run: 'kubectl taint nodes NODE {{key}}-',
          on: 'cluster',
        },
      ],
      verified: 'the pod has the event Scheduled',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go',
    'kubernetes staging/src/k8s.io/api/core/v1/well_known_taints.go',
  ],
});
