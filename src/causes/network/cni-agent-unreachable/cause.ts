import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'] as const;

const socket = line(
  [
    '/multus.sock',
    'multus/socket',
    'ovn-cni-server.sock',
    'kube-ovn-daemon.sock',
    'kube-ovn/cni',
    'antrea/cni.sock',
    '/var/run/eni/eni.socket',
    '/run/spiderpool/',
    'network-attachment-controller',
    'CNI request: Post',
    'Daemon not reachable over socketfile',
    'openvswitch/db.sock',
  ],
  CHANNELS,
  /(?:dial unix (?<socket>\/(?![^\s:"\\]{0,100}cilium\.sock)[^\s:"\\]{3,200}): connect: (?<error>no such file or directory|connection refused|permission denied)|ovs-vsctl: unix:(?<ovs>\/[^\s:"\\]{3,100}): database connection failed|Daemon not reachable over socketfile|failed to send CNI request: Post [^\n]{3,120}?(?<timeout>context deadline exceeded|EOF|i\/o timeout))/,
);
const port = line(
  ['127.0.0.1:50051', '127.0.0.1:6784', 'localhost:10090', '127.0.0.1:10090', '127.0.0.1:50052'],
  CHANNELS,
  /(?<address>(?:127\.0\.0\.1|localhost):(?:50051|50052|6784|10090))[^\n]{0,80}?(?<error>connection refused|i\/o timeout|context deadline exceeded)/,
);
const notReady = line(
  ['reach ipamd', 'connect to ipamd', 'ipamd is not ready', 'ipamd not ready'],
  CHANNELS,
  /(?:Unable to (?:reach|connect to)[^\n]{0,40}ipamd|ipamd[^\n]{0,60}(?:not ready|connection refused))/i,
);
/** The daemon answers, but cannot do its part: what it depends on itself is not there. */
const behind = line(
  ['unable to push CNI event', 'no ztunnel connection'],
  [...CHANNELS, 'container-log'],
  /(?<istio>unable to push CNI event|no ztunnel connection)(?:[,:] (?<error>[^\n"]{3,60}))?/,
);
const cilium = line(['Cilium agent', 'cilium.sock'], CHANNELS, /(?:connect to Cilium (?:agent|daemon)|cilium\.sock)/);

interface Agent {
  readonly pattern: RegExp;
  readonly name: string;
  readonly label: string;
}

const AGENTS: readonly Agent[] = [
  { pattern: /multus/, name: 'multus', label: 'app=multus' },
  { pattern: /istio-cni/, name: 'istio-cni-node with its ztunnel', label: 'k8s-app=istio-cni-node' },
  { pattern: /openvswitch/, name: 'ovs-ovn (Open vSwitch)', label: 'app=ovs' },
  { pattern: /kube-ovn/, name: 'kube-ovn-cni', label: 'app=kube-ovn-cni' },
  { pattern: /ovn/, name: 'ovnkube-node', label: 'app=ovnkube-node' },
  { pattern: /antrea/, name: 'antrea-agent', label: 'component=antrea-agent' },
  { pattern: /\/eni\//, name: 'terway', label: 'app=terway-eniip' },
  { pattern: /spiderpool/, name: 'spiderpool-agent', label: 'app.kubernetes.io/component=spiderpool-agent' },
  { pattern: /:5005[12]|ipamd/, name: 'aws-node (ipamd)', label: 'k8s-app=aws-node' },
  { pattern: /:6784/, name: 'weave-net', label: 'name=weave-net' },
  { pattern: /:10090/, name: 'azure-cns', label: 'k8s-app=azure-cns' },
];

export const cause = defineCause({
  id: 'cni-agent-unreachable',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'stuck-terminating', 'other-trouble'],
  effectOf: [
    'image-not-found',
    'image-registry-unreachable',
    'oom-container-limit',
    'kube-proxy-down-or-mode-unsupported',
    'apiserver-down',
  ],

  text: {
    name: 'CNI daemon does not answer',
    title: 'The network daemon {agent} on {node} does not answer the CNI plugin at {where}',
    why: 'The CNI plugin is only a messenger: for every pod it asks the daemon of the network add-on, {agent}, on the same node at {where}. Nobody answers there ({error}): the daemon pod of {node} is not running, is starting, or crashes, or the add-on was removed and its configuration in /etc/cni/net.d was left behind. So pods are neither connected nor removed until it is back.',
  },

  clues: {
    socket: proves(socket),
    port: proves(port),
    behind: proves(behind),
    notReady: supports(notReady),
    agentTrouble: supports('pod.symptom', ({ about }) =>
      /\/(?:aws-node|weave-net|kube-multus|multus|ovnkube|ovn-|kube-ovn|antrea-agent|terway|azure-cns|spiderpool)[^/]*$/.test(about),
    ),
    cilium: excludes(cilium),
  },
  says: {
    socket: 'the plugin cannot reach the daemon at {where}: {error}',
    port: 'the plugin cannot reach the daemon at {where}: {error}',
    behind: 'the daemon cannot do its part: {error}',
    notReady: 'the plugin says that its daemon is not ready',
    agentTrouble: 'the daemon pod of this node is in trouble itself: {trouble}',
    cilium: 'it is the cilium agent that does not answer',
  },
  slots: (place, { socket: unix, port: tcp, behind: daemon, agentTrouble }) => {
    const where =
      unix?.fields['socket'] ??
      unix?.fields['ovs'] ??
      tcp?.fields['address'] ??
      (daemon === undefined ? 'its socket' : 'its socket below /var/run/istio-cni');
    const told = daemon === undefined ? '' : 'istio-cni';
    const known = AGENTS.find(({ pattern }) => pattern.test(`${told || where} ${agentTrouble?.about ?? ''}`));
    return {
      node: place.name,
      where,
      agent: known?.name ?? 'of the network add-on',
      label: known?.label ?? 'KEY=VALUE',
      error:
        unix?.fields['error'] ??
        unix?.fields['timeout'] ??
        tcp?.fields['error'] ??
        daemon?.fields['error'] ??
        daemon?.fields['istio'] ??
        'no answer',
      trouble: agentTrouble?.detail ?? agentTrouble?.symptom ?? 'not running',
    };
  },

  fixes: [
    {
      say: 'Find out why {agent} does not run on {node}',
      risk: 'reads-only',
      steps: [
        {
          say: 'its pod on this node',
          run: 'kubectl get pods -A -o wide -l {{label}} --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
        { say: 'its last words', run: 'kubectl -n kube-system logs POD --all-containers --tail=40', on: 'cluster' },
        {
          say: 'no pod: see whether its DaemonSet tolerates the taints of {node}',
          run: 'kubectl get daemonsets -A; kubectl describe node {{node}} | grep -A3 -i taints',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Repair or restart the daemon pod {agent} on {node}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'running pods keep their network meanwhile',
          run: 'kubectl -n kube-system delete pod -l {{label}} --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
        {
          say: 'AWS: the node role needs AmazonEKS_CNI_Policy, and the daemon must reach the API server',
          run: 'kubectl -n kube-system logs -l k8s-app=aws-node -c aws-node --tail=20',
          on: 'cluster',
        },
      ],
      verified: 'the daemon pod is ready and waiting pods start',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'k8snetworkplumbingwg/multus-cni pkg/server/api',
    'ovn-org/ovn-kubernetes go-controller/pkg/cni',
    'aws/amazon-vpc-cni-k8s cmd/routed-eni-cni-plugin',
    'kubeovn/kube-ovn pkg/request',
  ],
});
