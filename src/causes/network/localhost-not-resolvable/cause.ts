import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID = ['container-log', 'pod-events', 'kubelet-log', 'kubeadm-output', 'system-log'] as const;

/** Nobody should ever ask a DNS server for this name. */
const asked = line(
  ['lookup localhost', 'ENOTFOUND localhost', 'EAI_AGAIN localhost', 'resolve host: localhost', 'resolve "localhost"'],
  SAID,
  /(?:lookup localhost(?: on (?<server>[\d.:a-fA-F[\]]{3,60}))?: (?<error>no such host|server misbehaving|i\/o timeout|Temporary failure in name resolution|device or resource busy)|getaddrinfo (?<node>ENOTFOUND|EAI_AGAIN) localhost|Could not resolve host: localhost|could not resolve "localhost")/,
);
const foreign = line(
  ['lookup localhost'],
  SAID,
  /lookup localhost(?: on [\d.:a-fA-F[\]]{3,60})?: read udp [^\n]{3,80}?(?<error>i\/o timeout|connection refused)/,
);
const refused = line('dial tcp 127.0.0.1', [], /dial tcp (?:127\.0\.0\.1|\[::1\]):\d{1,5}: connect: connection refused/);

export const cause = defineCause({
  id: 'localhost-not-resolvable',
  area: 'network',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['not-ready', 'crash-loop', 'restarts', 'failed', 'kubelet-down', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Name localhost does not resolve',
    title: 'The name localhost does not resolve on {node}: /etc/hosts lacks its line',
    why: 'Health checks and daemons call "localhost". That name must stand in /etc/hosts; on {node} it does not, so it is looked up at a DNS server{server}, which does not know it ({error}). Whatever calls localhost on the host network (kubelet probes, calico felix, kubeadm) fails, although the program itself is well.',
  },

  clues: {
    asked: proves(asked),
    foreign: supports(foreign),
    refused: excludes(refused),
  },
  says: {
    asked: 'localhost is looked up by DNS, and the answer is: {error}',
    foreign: 'localhost is looked up by DNS, and no answer comes: {error}',
    refused: 'localhost is resolved; nothing listens there',
  },
  slots: (place, { asked: said, foreign: silent }) => ({
    node: place.name,
    server: said?.fields['server'] ? ` (${said.fields['server']})` : '',
    error: said?.fields['error'] ?? said?.fields['node'] ?? silent?.fields['error'] ?? 'no such host',
  }),

  fixes: [
    {
      say: 'Look at the hosts file of {node}',
      risk: 'reads-only',
      steps: [
        { say: 'it must name localhost', run: 'cat /etc/hosts; getent hosts localhost; grep ^hosts: /etc/nsswitch.conf', on: 'node' },
      ],
    },
    {
      say: 'Put localhost into /etc/hosts',
      risk: 'touches-node',
      steps: [
        {
          say: 'both families, before all other lines; nsswitch.conf must say "hosts: files dns"',
          run: "printf '127.0.0.1 localhost\\n::1 localhost\\n' | cat - /etc/hosts > /tmp/hosts && cp /tmp/hosts /etc/hosts",
          on: 'node',
        },
        {
          say: 'pods of the host network copy the file at their start: start them anew',
          run: 'kubectl -n kube-system delete pods --field-selector spec.nodeName={{node}} -l k8s-app=calico-node',
          on: 'cluster',
        },
      ],
      verified: 'getent hosts localhost answers on {node}, and the checks pass',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['Go net (lookup)', 'hosts(5), nsswitch.conf(5)', 'projectcalico/calico felix health'],
});
