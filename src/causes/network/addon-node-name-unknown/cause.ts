import { byDaemons, defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const Q = String.raw`[\\"“”']{1,8}`;
/** Programs of the network that need the Node object of the machine they run on. */
const addon = line(
  [
    'Failed to run kube-router',
    'failed to acquire lease: node',
    'Failed to identify the node by NODE_NAME',
    'error retrieving node',
    'Unable to retrieve Node',
    'failed to get node',
    'Failed to get pod CIDR',
    'Could not find Node',
    'error getting node',
  ],
  'container-log',
  new RegExp(
    `^(?![\\s\\S]{0,300}?(?:kubelet|lease exists))[\\s\\S]{0,2000}?(?:(?:Failed to run kube-router|failed to acquire lease|error retrieving node|Unable to retrieve Node|[Ff]ailed to get node|Failed to get pod CIDR|error getting node)[^\\n]{0,240}?nodes? ${Q}(?<name>[\\w.-]{1,253})${Q} not found|Failed to identify the node by NODE_NAME(?<unset>, hostname or --hostname-override)|Could not find Node (?:with name )?${Q}?(?<other>[\\w.-]{1,253}))`,
  ),
);
const kubectl = line(
  ['(NotFound): nodes "'],
  ['host-tools', 'objects', 'prose'],
  /Error from server \(NotFound\): nodes \\*"(?<name>[\w.-]{1,253})\\*" not found/,
);
const cidr = line(['pod cidr not assigned', 'node.Spec.PodCIDR is not set'], []);

export const cause = defineCause({
  id: 'addon-node-name-unknown',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'other-trouble'],
  effectOf: ['kubelet-node-not-found'],

  text: {
    name: 'Node of that name does not exist',
    title: '{who} asks for the node {name}, and the cluster has no Node of that name',
    why: 'Nodes are known by the name their kubelet registered with, which is what kubectl get nodes shows. {who} uses {name} instead: {how}. So it finds no Node object, and with it no pod CIDR and no address.',
  },

  clues: {
    // A kubelet that has just started says the same of itself until it is registered.
    addon: proves(addon, (fact) => !byDaemons(fact)),
    kubectl: supports(kubectl),
    cidr: excludes(cidr),
  },
  says: {
    addon: 'it finds no Node named {name}',
    kubectl: 'the API server knows no Node named {name}',
    cidr: 'the Node is found; it has no pod CIDR',
  },
  slots: (_place, { addon: said, kubectl: typed }) => {
    const name = said?.fields['name'] ?? said?.fields['other'] ?? typed?.fields['name'];
    return {
      who: said ? 'The network add-on' : 'The command',
      name: name ?? 'of its host',
      node: name ?? 'NODE',
      how: said
        ? 'the host name was changed or is written differently (capital letters, with or without domain), --hostname-override or the cloud provider gave the kubelet another name, the variable NODE_NAME of the pod is not set from spec.nodeName, or the Node was deleted'
        : 'a typing error, an address or the name of the machine instead of that of the node, another cluster (kubectl config current-context), or a node that was removed',
    };
  },

  fixes: [
    {
      say: 'Compare the names',
      risk: 'reads-only',
      steps: [
        { say: 'nodes as the cluster knows them', run: 'kubectl config current-context; kubectl get nodes -o wide', on: 'cluster' },
        {
          say: 'the name of the machine, and what the kubelet was told',
          run: 'hostname; hostname -f; ps -o args= -C kubelet | tr " " "\\n" | grep hostname-override',
          on: 'node',
        },
      ],
    },
    {
      say: 'Give the add-on the name of the Node: NODE_NAME from spec.nodeName, or the same hostname-override as the kubelet',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'env: name NODE_NAME, valueFrom.fieldRef.fieldPath spec.nodeName',
          run: 'kubectl -n kube-system edit daemonset NAME',
          on: 'cluster',
        },
      ],
      verified: 'its pods are Running on every node',
    },
    {
      say: 'If the host was renamed or the Node deleted: give the host its old name, or let the kubelet register again',
      risk: 'touches-node',
      steps: [
        {
          say: 'the old name, then a restart of the kubelet',
          run: 'hostnamectl set-hostname NAME && systemctl restart kubelet',
          on: 'node',
        },
      ],
      verified: 'kubectl get node {name} finds it',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['cloudnativelabs/kube-router pkg/utils/node.go', 'flannel-io/flannel pkg/subnet/kube', 'kubernetes cmd/kube-proxy/app'],
});
