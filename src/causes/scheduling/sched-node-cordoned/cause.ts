import { entityOf } from '../../../model/entity.ts';
import {
  accountsForAll,
  defineCause,
  excludes,
  leadsAmongOthers,
  leadsIn,
  line,
  minutes,
  needs,
  othersIn,
  proves,
  supports,
} from '../../define-cause.ts';

const refused = line(
  ['were unschedulable', 'node.kubernetes.io/unschedulable', 'NodeUnschedulable'],
  ['pod-events', 'pod-status', 'control-plane-log'],
  /(?<refusal>(?:\d{1,6}\/\d{1,6} )?nodes are available[^\n]{0,4000})/,
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

const OWN = /were unschedulable|node\.kubernetes\.io\/unschedulable|NodeUnschedulable/;

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
    leading: needs('pod.unschedulable', leadsIn(OWN)),
    sole: proves('pod.unschedulable', accountsForAll(OWN)),
    message: supports(refused),
    beside: supports('pod.unschedulable', leadsAmongOthers(OWN)),
    cordoned: supports('node.status', ({ status }) => status.includes('SchedulingDisabled')),
    cordonTaint: supports('node.taint', ({ key }) => key === 'node.kubernetes.io/unschedulable'),
    placed: excludes(placed),
    otherReason: excludes('pod.unschedulable', (refusal) => refusal.recent && !leadsIn(OWN)(refusal)),
  },
  says: {
    pending: 'the pod waits for a node',
    leading: 'no other reason holds back more of the nodes it may use',
    sole: 'this reason alone keeps it from all nodes',
    message: 'the scheduler says: {count} nodes are unschedulable',
    beside: 'nodes are out for other reasons too: {others}',
    cordoned: '{node} is listed as SchedulingDisabled',
    cordonTaint: 'the taint of a cordoned node stands on {node}',
    placed: 'it has been placed since; the refusals are over',
    otherReason: 'its own refusal names another reason first',
  },
  slots: (_place, { leading, beside, cordoned, cordonTaint }) => {
    const all = leading?.reasons ?? [];
    const of = leading?.nodes ? ` of ${leading.nodes}` : '';
    const named = cordoned ?? cordonTaint;
    const node = named ? entityOf(named.about).name : undefined;
    const rest = all.filter(({ text }) => !OWN.test(text)).map(({ count, text }) => `${count} ${text}`);
    return {
      others: othersIn(beside ?? leading, OWN),
      count: `${all.find(({ text }) => OWN.test(text))?.count ?? 'All'}${of}`,
      node: node ?? 'NODE',
      cordonedNode: node === undefined || node === '?' ? '' : node,
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
      changes: [{ do: 'uncordon', node: '{{cordonedNode}}' }],
      verified: 'kubectl get nodes shows Ready without SchedulingDisabled and the pods are Scheduled',
    },
    {
      say: 'Add nodes until the cordoned ones are back',
      risk: 'moves-pods',
      steps: [
        { say: 'raise the size of the node group, or join another node', run: 'kubeadm token create --print-join-command', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go'],
});
