import { entityOf } from '../../../model/entity.ts';
import { defineCause, excludes, line, minutes, needs, proves, supports } from '../../define-cause.ts';

const refused = line(
  'nodes are available',
  ['pod-events', 'pod-status', 'control-plane-log'],
  /(?:\/(?<nodes>\d{1,6}) )?nodes are available[^:\n]{0,60}::? (?<reasons>[^\n]{0,2000}?(?:were unschedulable|node\.kubernetes\.io\/unschedulable|NodeUnschedulable)[^\n]{0,2000})/,
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

const OWN = /were unschedulable|node\.kubernetes\.io\/unschedulable|NodeUnschedulable/;
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
  id: 'sched-node-cordoned',
  area: 'scheduling',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['pending'],

  text: {
    name: 'Nodes are cordoned',
    title: '{count} nodes are cordoned (unschedulable){which}, and new pods get none',
    why: 'Somebody or some tool has marked the nodes as unschedulable (kubectl cordon or drain, an upgrade, an autoscaler). Pods that run there go on, but new ones stay Pending.{rest}',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    leading: needs(refused, ({ fields }) => leads(fields['reasons'])),
    message: proves(refused, ({ fields }) => leads(fields['reasons'])),
    cordoned: supports('node.status', ({ status }) => status.includes('SchedulingDisabled')),
    cordonTaint: supports('node.taint', ({ key }) => key === 'node.kubernetes.io/unschedulable'),
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
    message: 'the scheduler says: {count} nodes are unschedulable',
    cordoned: '{node} is listed as SchedulingDisabled',
    cordonTaint: 'the taint of a cordoned node stands on {node}',
    placed: 'it has been placed since; the refusals are over',
    otherReason: 'its own refusal names another reason first',
  },
  slots: (_place, { message, cordoned, cordonTaint }) => {
    const all = reasonsIn(message?.fields['reasons']);
    const nodes = message?.fields['nodes'];
    const named = cordoned ?? cordonTaint;
    const node = named ? entityOf(named.about).name : undefined;
    const rest = all.filter(({ text }) => !OWN.test(text)).map(({ text }) => text.replace(/\.$/, ''));
    return {
      count: `${all.find(({ text }) => OWN.test(text))?.nodes ?? 'All'}${nodes ? ` of ${nodes}` : ''}`,
      node: node ?? 'NODE',
      which: node ? `, among them ${node}` : '',
      rest: rest.length > 0 ? ` The other nodes are out as well: ${rest.join(', ')}.` : '',
    };
  },

  fixes: [
    {
      say: 'Find out who cordoned the nodes, then uncordon them',
      risk: 'moves-pods',
      steps: [
        {
          say: 'which nodes are SchedulingDisabled, and what upgrade or maintenance tools noted on them',
          run: "kubectl get nodes; kubectl get nodes -o yaml | grep -nE 'unschedulable:|kured|drain|cordon|upgrade'",
          on: 'cluster',
        },
        { say: 'when the maintenance is over', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
      verified: 'kubectl get nodes shows Ready without SchedulingDisabled and the pods are Scheduled',
    },
    {
      say: 'Add nodes until the cordoned ones are back',
      risk: 'moves-pods',
      steps: [{ say: 'raise the size of the node group, or join another node', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go'],
});
