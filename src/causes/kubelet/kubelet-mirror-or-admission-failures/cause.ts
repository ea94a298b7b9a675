import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const predicate = line(
  ['Predicate NodeAffinity failed', 'Predicate MatchNodeSelector failed', 'Predicate TaintToleration failed', 'Predicate NodeName failed'],
  ['pod-status', 'pod-events', 'kubelet-log'],
  /Predicate (?<predicate>NodeAffinity|MatchNodeSelector|TaintToleration|NodeName) failed/,
);
const mirror = line(
  'Failed creating a mirror pod',
  'kubelet-log',
  /Failed creating a mirror pod[\s\S]{0,400}?(?:pods [\\"]{1,4}(?<pod>[a-z0-9.-]{1,253})[\\"]{1,4} is forbidden: (?<reason>(?!no PriorityClass with name system-)[^\n]{3,300})|admission webhook [\\"]{1,4}(?<webhook>[\w.-]{1,253})[\\"]{1,4} denied)/,
);
const resources = line(
  ["didn't have enough resource", 'Allocate failed due to'],
  [],
  /Node didn't have enough resource: (?!ephemeral)|Allocate failed due to/,
);

const REJECTED = /^(?:NodeAffinity|MatchNodeSelector|TaintToleration|NodeName)$/;

export const cause = defineCause({
  id: 'kubelet-mirror-or-admission-failures',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['failed', 'not-ready', 'pending', 'control-plane-down', 'other-trouble'],
  wakesOn: [
    on('pod.status', { status: 'NodeAffinity' }),
    on('pod.status', { status: 'MatchNodeSelector' }),
    on('pod.status', { status: 'TaintToleration' }),
  ],

  text: {
    name: 'Kubelet rejected the pod',
    title: 'Pods of {where} were not admitted: {what}',
    why: 'A kubelet that starts checks all pods of its node again as the scheduler would, and shows its static pods in the API as mirror pods. Here {what}. Rejected pods stay Failed for good, and their controller makes new ones elsewhere; a refused mirror pod runs, but kubectl does not see it.',
  },

  clues: {
    predicate: proves(predicate),
    status: supports('pod.status', ({ status }) => REJECTED.test(status)),
    mirror: proves(mirror),
    restarted: supports('node.event', ({ reason }) => reason === 'Starting' || reason === 'Rebooted'),
    resources: excludes(resources),
  },
  says: {
    predicate: 'the kubelet refused the pod: predicate {predicate} failed',
    status: 'the pod has ended as {predicate}',
    mirror: 'the API server refuses the mirror pod of a static pod: {reason}',
    restarted: 'the kubelet of the node was started again',
    resources: 'the node had no room for it: resources or devices',
  },
  slots: (place, { predicate: failed, status, mirror: refused }) => {
    const where = place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`;
    const name = failed?.fields['predicate'] ?? status?.status ?? 'NodeAffinity';
    const reason = short(
      refused?.fields['reason'] ?? (refused?.fields['webhook'] ? `webhook ${refused.fields['webhook']} denies it` : 'it is forbidden'),
    );
    const taint = name === 'TaintToleration';
    const onlyMirror = refused !== undefined && failed === undefined && status === undefined;
    return {
      node: place.name,
      where,
      predicate: name,
      reason,
      what: onlyMirror
        ? `the API server refuses the mirror pod ${refused.fields['pod'] ?? 'of a static pod'} (${reason})`
        : `the kubelet rejected them because ${name} failed: ${taint ? 'they do not tolerate a taint of the node' : 'the labels of the node do not match their nodeSelector or affinity, or changed before the kubelet was restarted'}`,
    };
  },

  fixes: [
    {
      say: 'Compare labels and taints of {where} with what the pods ask for',
      risk: 'reads-only',
      steps: [
        {
          say: 'labels and taints',
          run: "kubectl get node {{node}} --show-labels; kubectl get node {{node}} -o jsonpath='{.spec.taints}'",
          on: 'cluster',
        },
        {
          say: 'pods the kubelet rejected',
          run: 'kubectl get pods -A -o wide --field-selector status.phase=Failed,spec.nodeName={{node}}',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Put the label back or correct nodeSelector and affinity, then delete the failed pods',
      risk: 'restarts-pods',
      for: ['predicate', 'status'],
      steps: [
        { say: 'the label the pods ask for', run: 'kubectl label node {{node}} KEY=VALUE', on: 'cluster' },
        {
          say: 'records of failed pods: controllers have made new ones',
          run: 'kubectl delete pods -A --field-selector status.phase=Failed,spec.nodeName={{node}}',
          on: 'cluster',
        },
        { say: 'labels that must survive a start belong into the kubelet (--node-labels) or the node group' },
      ],
      verified: 'the replacements run, and no pod is left in {predicate}',
    },
    {
      say: 'For mirror pods: let the API server admit them (security policy, webhook, no service account or Secret in the manifest)',
      risk: 'touches-node',
      for: ['mirror'],
      steps: [
        {
          say: 'namespace labels of Pod Security, and webhooks that should leave kube-system alone',
          run: 'kubectl get ns kube-system --show-labels; kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'kubernetes pkg/kubelet/lifecycle/predicate.go',
    'kubernetes pkg/kubelet/pod/mirror_client.go',
    'kubernetes issues 100467, 123980, 124586',
  ],
});

function short(text: string): string {
  const line = text.replace(/[\\"]+/g, '').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
