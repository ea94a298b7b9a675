import { defineCause, excludes, line, minutes, namesOf, needs, supports } from '../../define-cause.ts';

const isolated = line(
  ['Selected pods are isolated for', 'isolated for ingress connectivity', 'isolated for egress connectivity'],
  ['objects'],
  /isolated for (?<direction>ingress|egress) connectivity/,
);
// No channel: without a connection that gets no answer a policy is nobody's trouble.
const noAnswer = line(
  [
    'i/o timeout',
    'Temporary failure in name resolution',
    'EAI_AGAIN',
    'no servers could be reached',
    'communications error to',
    'connection timed out',
    'ETIMEDOUT',
    'operation timed out',
  ],
  [],
  /lookup (?<name>[\w.-]{1,253})(?: on (?<server>[\w.:[\]]{3,60}:53))?[\s\S]{0,120}?i\/o timeout|(?<dns>Temporary failure in name resolution|EAI_AGAIN|no servers could be reached|communications error to \S{3,60}: timed out)|dial tcp [\w.:[\]-]{3,80}: i\/o timeout|[Cc]onnection timed out|ETIMEDOUT|[Oo]peration timed out/,
);
const answered = line(['no such host', 'NXDOMAIN'], [], /lookup [\w.-]{1,253} on \S{3,60}:53: no such host|NXDOMAIN/);
const DENIES = /\/(?:[^/]*(?:default|all)[^/]*deny|deny|[^/]*isolat)[^/]*$/i;

export const cause = defineCause({
  id: 'networkpolicy-default-deny',
  area: 'policy',
  at: 'Namespace',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'init-stuck', 'init-crash', 'other-trouble'],
  effectOf: ['networkpolicy-blocks'],

  text: {
    name: 'Default-deny policy cuts off pods',
    title: 'A default-deny NetworkPolicy{policy} isolates the pods of {where}{what}',
    why: 'A NetworkPolicy that selects pods and lists no rules denies all traffic of its type; every connection that is needed has to be allowed by a further policy, DNS (port 53 to kube-dns) first of all. Packets are dropped without an answer, so programs see time-outs, never refusals.',
  },

  clues: {
    noAnswer: needs(noAnswer),
    isolated: supports(isolated),
    policy: supports('object.exists', ({ about, type }) => type === 'NetworkPolicy' && DENIES.test(about)),
    answered: excludes(answered),
  },
  says: {
    noAnswer: 'connections or lookups get no answer{server}',
    isolated: 'the policy isolates its pods for {direction}',
    policy: 'there is a policy{policy} whose name says that it denies all',
    answered: 'the DNS server answers: it is reached',
  },
  slots: (place, { isolated: alone, policy, noAnswer: dns }) => {
    const { namespace } = namesOf(place);
    const inside = place.kind === 'Namespace' && !place.name.includes(' ') ? place.name : namespace;
    const name = policy?.about.split('/').at(-1);
    return {
      policy: name === undefined ? '' : ` ${name}`,
      direction: alone?.fields['direction'] ?? 'ingress and egress',
      server: dns.fields['server'] === undefined ? '' : ` of ${dns.fields['server']}`,
      where: inside === 'NAMESPACE' ? 'the namespace' : `namespace ${inside}`,
      namespace: inside,
      what: dns.fields['name'] !== undefined || dns.fields['dns'] !== undefined ? ': DNS is not allowed' : ': time-outs',
    };
  },

  fixes: [
    {
      say: 'See what is denied and what is allowed',
      risk: 'reads-only',
      steps: [
        { say: 'all policies', run: 'kubectl -n {{namespace}} describe networkpolicy', on: 'cluster' },
        { say: 'from a pod: does DNS answer', run: 'kubectl -n {{namespace}} exec POD -- nslookup kubernetes.default', on: 'cluster' },
      ],
    },
    {
      say: 'Allow DNS and the dependencies by further policies; they add up',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'DNS for every pod of the namespace',
          run: 'kubectl -n {{namespace}} apply -f - <<EOF\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: allow-dns}\nspec:\n  podSelector: {}\n  policyTypes: [Egress]\n  egress:\n  - to: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: kube-system}}}]\n    ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]\nEOF',
          on: 'cluster',
        },
        { say: 'then egress to what the pods call, and ingress from who calls them, by podSelector and namespaceSelector', on: 'cluster' },
      ],
      verified: 'lookups and connections succeed',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes docs: concepts/services-networking/network-policies, default policies'],
});
