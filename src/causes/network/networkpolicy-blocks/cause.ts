import { defineCause, excludes, line, minutes, namesOf, needs, proves, supports } from '../../define-cause.ts';

const TIMEOUTS = [
  'i/o timeout',
  'connection timed out',
  'operation timed out',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'Temporary failure in name resolution',
  'context deadline exceeded',
  'Client.Timeout exceeded',
];
const DENIALS = [
  'Policy denied',
  'policy-verdict:none',
  'verdict=DENY',
  'Verdict DENY',
  'Verdict: DENY',
  'Policy deny',
  'calico-packet',
  'deny-by-policy',
];
const DENIED =
  /(?:(?:drop|DROPPED)[^\n]{0,40}\(?Policy denied\)?[^\n]{0,300}|Policy denied(?: by denylist)? (?:DROPPED|drop)[^\n]{0,200}|policy-verdict:none (?:INGRESS|EGRESS|TRAFFIC_DIRECTION_UNKNOWN) DENIED[^\n]{0,200}|[Vv]erdict[:= ]{1,3}"?DENY[^\n]{0,200}|calico-packet:? [^\n]{0,300}|deny-by-policy[^\n]{0,100})/;

const trouble = line([...TIMEOUTS, ...DENIALS], ['container-log', 'kernel-log', 'host-tools', 'system-log']);
const denied = line(DENIALS, ['container-log', 'kernel-log', 'host-tools', 'system-log'], DENIED);
const refused = line(['connection refused', 'ECONNREFUSED'], 'container-log');

const POLICY = /^(?:NetworkPolicy|CiliumNetworkPolicy|CiliumClusterwideNetworkPolicy|GlobalNetworkPolicy|AdminNetworkPolicy)$/;
const DENIES_ALL = /deny|isolat|restrict|block|lock/i;

export const cause = defineCause({
  id: 'networkpolicy-blocks',
  area: 'network',
  at: 'Namespace',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'init-stuck', 'init-crash', 'failed', 'other-trouble'],

  text: {
    name: 'A NetworkPolicy blocks traffic',
    title: 'A NetworkPolicy{named} in {where} seems to block connections of these pods',
    why: 'Once a NetworkPolicy selects a pod, everything it does not allow is dropped without an answer, so connections time out instead of being refused. A policy that denies all egress also cuts off DNS (UDP and TCP port 53), unless a rule allows it. In {where} {evidence}.',
  },

  clues: {
    trouble: needs(trouble),
    denied: proves(denied),
    deniesAll: supports('object.exists', ({ type, about }) => POLICY.test(type) && DENIES_ALL.test(about.slice(about.lastIndexOf('/')))),
    policy: supports('object.exists', ({ type }) => POLICY.test(type)),
    refused: excludes(refused),
  },
  says: {
    trouble: 'connections get no answer',
    denied: 'the network drops packets by policy: {denial}',
    deniesAll: 'a policy whose name says that it denies: {policy}',
    policy: 'there is a NetworkPolicy in the namespace: {policy}',
    refused: 'the other side is reached and refuses: nothing listens there',
  },
  slots: (place, { denied: dropped, deniesAll, policy }) => {
    const found = deniesAll ?? policy;
    const { namespace } = namesOf(place);
    const inside = place.kind === 'Namespace' && place.name !== '?' ? place.name : namespace;
    return {
      named: found ? ` ${found.about.slice(found.about.lastIndexOf('/') + 1)}` : '',
      policy: found ? found.about.slice(found.about.lastIndexOf('/') + 1) : '',
      denial: dropped ? 'Policy denied' : 'by policy',
      namespace: inside,
      where: inside === 'NAMESPACE' || inside === 'the namespace' ? 'the namespace of the pods' : `namespace ${inside}`,
      evidence: dropped ? 'the network plugin itself reports packets dropped by policy' : 'a policy exists and connections time out',
    };
  },

  fixes: [
    {
      say: 'See which policies select the pod and what they allow',
      risk: 'reads-only',
      steps: [
        {
          say: 'all policies of the namespace',
          run: 'kubectl -n {{namespace}} get networkpolicy; kubectl -n {{namespace}} describe networkpolicy',
          on: 'cluster',
        },
        { say: 'labels of the pods, to compare with podSelector', run: 'kubectl -n {{namespace}} get pods --show-labels', on: 'cluster' },
        {
          say: 'cilium: what is dropped right now',
          run: 'kubectl -n kube-system exec ds/cilium -- cilium-dbg monitor --type drop',
          on: 'cluster',
        },
        { say: 'a pod that no policy selects is the test: try the same connection from another namespace' },
      ],
    },
    {
      say: 'Allow what the pods need with a further policy; policies only add up',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'DNS for all pods of the namespace, then the ports of what they connect to',
          run: 'kubectl -n {{namespace}} apply -f - <<EOF\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: allow-dns}\nspec:\n  podSelector: {}\n  policyTypes: [Egress]\n  egress:\n  - ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]\nEOF',
          on: 'cluster',
        },
        { say: 'ingress rules must name the labels of the callers (podSelector) and of their namespace (namespaceSelector)' },
      ],
      verified: 'the connection is made, without a restart of the pods',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes.io docs: concepts/services-networking/network-policies',
    'cilium pkg/monitor/api (drop reasons)',
    'aws/aws-network-policy-agent',
  ],
});
