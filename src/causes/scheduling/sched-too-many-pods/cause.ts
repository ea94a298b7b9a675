import { defineCause, excludes, line, minutes, needs, proves, supports } from '../../define-cause.ts';

const refused = line(
  'nodes are available',
  ['pod-events', 'pod-status', 'control-plane-log'],
  /(?:\/(?<nodes>\d{1,6}) )?nodes are available[^:\n]{0,60}::? (?<reasons>[^\n]{0,2000}?(?:Too many pods|Insufficient pods)[^\n]{0,2000})/,
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

const OWN = /Too many pods|Insufficient pods/;
const LISTED = /nodes are available[^:]{0,60}::? (?<reasons>[^\n]{0,4000})/;
/** A pod that still waits is tried again within five minutes: older refusals are of the past. */
const RETRY_SECONDS = 330;

interface Reason {
  readonly nodes: number;
  readonly text: string;
}

/** One by one: "2 Insufficient cpu, 1 node(s) …"; releases before 1.10 put the number behind, in brackets. */
function reasonsIn(reasons = ''): Reason[] {
  const [list = ''] = reasons.split(/\.? preemption: /);
  return list.split(/, (?=[\dA-Z])/).map((text) => ({ nodes: Number(/^\d+|\d+(?=\)\.?$)/.exec(text)?.[0] ?? 1), text }));
}

const CONTROL_PLANE = /node-role\.kubernetes\.io\/(?:control-plane|controlplane|master|etcd)/;

function most(reasons: readonly Reason[]): number {
  return Math.max(0, ...reasons.map(({ nodes }) => nodes));
}

/** Control planes are meant to be tainted: they do not count against the reason that holds back the workers. */
function leads(reasons: string | undefined): boolean {
  const all = reasonsIn(reasons);
  const others = all.filter(({ text }) => !OWN.test(text) && !CONTROL_PLANE.test(text));
  return most(all.filter(({ text }) => OWN.test(text))) >= Math.max(1, most(others));
}

export const cause = defineCause({
  id: 'sched-too-many-pods',
  area: 'scheduling',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['pending'],

  text: {
    name: 'Pod limit of nodes reached',
    title: '{count} nodes already hold as many pods as they may (Too many pods)',
    why: 'Each kubelet takes only maxPods pods (110 unless set; fewer where the network plugin has few addresses per node). The nodes have reached that number, so new pods stay Pending even if cpu and memory are free.',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    leading: needs(refused, ({ fields }) => leads(fields['reasons'])),
    message: proves(refused, ({ fields }) => leads(fields['reasons'])),
    maxPods: supports('kubelet.setting', ({ key }) => key === 'maxPods' || key === 'max-pods'),
    placed: excludes(placed),
    otherReason: excludes(
      'pod.event',
      ({ reason, message, lastAgo }) =>
        reason === 'FailedScheduling' && (lastAgo ?? 0) < RETRY_SECONDS && !leads(LISTED.exec(message)?.groups?.['reasons']),
    ),
  },
  says: {
    pending: 'the pod waits for a node',
    leading: 'no other reason holds back more nodes',
    message: 'the scheduler says: {count} nodes have Too many pods',
    maxPods: 'the kubelet is set to {maxPods} pods',
    placed: 'it has been placed since; the refusals are over',
    otherReason: 'its own refusal names another reason first',
  },
  slots: (_place, { message, maxPods }) => {
    const nodes = message?.fields['nodes'];
    return {
      count: `${reasonsIn(message?.fields['reasons']).find(({ text }) => OWN.test(text))?.nodes ?? 'All'}${nodes ? ` of ${nodes}` : ''}`,
      maxPods: maxPods?.value ?? 'its number of',
    };
  },

  fixes: [
    {
      say: 'Remove pods that are not needed, or add a node',
      risk: 'moves-pods',
      steps: [
        {
          say: 'pods per node against the limit',
          run: "kubectl get nodes -o custom-columns='NODE:.metadata.name,MAXPODS:.status.allocatable.pods'; kubectl get pods -A -o wide --no-headers | awk '{print $8}' | sort | uniq -c",
          on: 'cluster',
        },
        { say: 'finished pods do not count, but idle replicas do: scale them down, or add a node', on: 'cluster' },
      ],
      verified: 'the waiting pods have the event Scheduled',
    },
    {
      say: 'Raise maxPods of the kubelets, if the pod network has the addresses',
      risk: 'touches-node',
      steps: [
        { say: 'a /24 per node serves about 250 pods; cloud networks may first need prefix delegation or larger instances', on: 'node' },
        {
          say: 'set maxPods in the kubelet configuration',
          run: "grep -n maxPods /var/lib/kubelet/config.yaml || echo 'maxPods: 200' >> /var/lib/kubelet/config.yaml",
          on: 'node',
        },
        { say: 'restart the kubelet; pods go on running', run: 'systemctl restart kubelet', on: 'node' },
      ],
      verified: 'allocatable pods of the node has risen',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes pkg/scheduler/framework/plugins/noderesources/fit.go',
    'kubernetes pkg/kubelet/apis/config/v1beta1/defaults.go (maxPods)',
  ],
});
