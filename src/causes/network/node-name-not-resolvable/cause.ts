import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const dialing = line(
  ['error dialing backend: dial tcp: lookup'],
  ['objects', 'control-plane-log'],
  /error dialing backend: dial tcp: lookup (?<node>[\w.-]{1,253})(?: on (?<server>[\w.:[\]]{3,80}))?: (?<error>no such host|server misbehaving|i\/o timeout|Temporary failure in name resolution)/,
);
const logs = line(
  [':10250/containerLogs/', ':10250/exec/', ':10250/stats/summary', ':10250/metrics'],
  ['container-log', 'objects', 'control-plane-log'],
  /https:\/\/[\w.-]{1,253}:10250\/[^\n]{0,300}?dial tcp: lookup (?<node>[\w.-]{1,253})(?: on (?<server>[\w.:[\]]{3,80}))?: (?<error>no such host|server misbehaving|i\/o timeout|Temporary failure in name resolution)/,
);
const allNames = line(
  ['lookup kubernetes.default'],
  [],
  /lookup kubernetes\.default[^\s:]{0,60}(?: on [\w.:[\]]{3,80})?: (?:no such host|server misbehaving|i\/o timeout)/,
);

export const cause = defineCause({
  id: 'node-name-not-resolvable',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'not-ready'],

  text: {
    name: 'Name of a node cannot be resolved',
    title: 'The name of node {node} cannot be resolved by {who}: {error}',
    why: '{who} calls the kubelet (port 10250) by the host name of the node where the node has no better address or is told to prefer it, and DNS{server} does not know {node}. kubectl logs and exec, kubectl top and the HorizontalPodAutoscalers fail for that node; its pods run on.',
  },

  clues: {
    dialing: proves(dialing),
    logs: proves(logs),
    allNames: excludes(allNames),
  },
  says: {
    dialing: 'the API server does not find the address of {node}: {error}',
    logs: 'the address of {node} is not found: {error}',
    allNames: 'names of the cluster are not resolved either: DNS itself fails',
  },
  slots: (_place, { dialing: api, logs: scraped }) => {
    const fields = (api ?? scraped)?.fields;
    const server = fields?.['server'];
    return {
      node: fields?.['node'] ?? 'NODE',
      error: fields?.['error'] ?? 'no such host',
      server: server ? ` (${server})` : '',
      who: api ? 'the API server' : 'whoever asks the kubelet',
    };
  },

  fixes: [
    {
      say: 'See by which addresses the node is known, and whether the name resolves',
      risk: 'reads-only',
      steps: [
        { say: 'its addresses', run: 'kubectl get node {{node}} -o jsonpath="{.status.addresses}"', on: 'cluster' },
        { say: 'on a control plane', run: 'getent hosts {{node}}; cat /etc/resolv.conf', on: 'node' },
      ],
    },
    {
      say: 'Let them use the address instead of the name',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'metrics-server: this argument; API server: the flag of the same name in its manifest',
          run: `kubectl -n kube-system patch deployment metrics-server --type=json -p '[{"op":"add","path":"/spec/template/spec/containers/0/args/-","value":"--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname"}]'`,
          on: 'cluster',
        },
      ],
      verified: 'kubectl top nodes and kubectl logs answer for {node}',
    },
    {
      say: 'Or make the name known: in DNS, or in /etc/hosts of every control plane',
      risk: 'touches-node',
      steps: [{ say: 'with the internal address of the node', run: 'echo "ADDRESS {{node}}" >> /etc/hosts', on: 'node' }],
      verified: 'kubectl logs answers for pods of {node}',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/client/kubelet_client.go (--kubelet-preferred-address-types)',
    'metrics-server pkg/scraper, cmd/metrics-server/app/options/kubelet_client.go',
  ],
});
