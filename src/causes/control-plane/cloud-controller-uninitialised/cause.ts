import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const TAINT = 'node.cloudprovider.kubernetes.io/uninitialized';
const refusal = line(TAINT, ['pod-events', 'node-status', 'control-plane-log'], /node\.cloudprovider\.kubernetes\.io\/uninitialized/);
const notFound = line(
  [
    'failed to get provider ID for node',
    'failed to get instance metadata for node',
    'failed to initialize node',
    'error initializing node',
    'could not find node in cloud provider',
    'failed to get instance ID from cloud provider',
    'failed to get node modifiers from cloud provider',
  ],
  ['container-log', 'control-plane-log'],
  /(?:failed to get provider ID for node|failed to get instance metadata for node|failed to initialize node|error initializing node|failed to get node modifiers from cloud provider|failed to get instance ID from cloud provider)[: ]{0,2}[\\"]{0,4}(?<node>[^\s:,\\"]{0,253})[\\"]{0,4}[\s\S]{0,40}?(?<error>[^\n]{0,240})/,
);
const noCloud = line(
  [
    'could not init cloud provider',
    'cloud provider could not be initialized',
    'no cloud provider specified',
    'unable to read cloud config',
    "Couldn't open cloud provider configuration",
  ],
  ['container-log', 'control-plane-log', 'kubelet-log'],
  /(?:cloud provider could not be initialized|could not init cloud provider|Couldn't open cloud provider configuration|unable to read cloud config)[: ]{0,2}(?<error>[^\n]{0,240})/,
);
const initialised = line(
  ['Successfully initialized node', 'Initialized node'],
  'container-log',
  /Successfully initialized node|Initialized node \S{1,253} with cloud provider/,
);

export const cause = defineCause({
  id: 'cloud-controller-uninitialised',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['other-trouble', 'control-plane-down'],
  wakesOn: [on('node.taint', { key: TAINT })],

  text: {
    name: 'Cloud controller has not initialised',
    title: 'The cloud controller manager has not initialised {nodes}: {what}',
    why: 'A kubelet with --cloud-provider=external registers its node with the taint node.cloudprovider.kubernetes.io/uninitialized. Only the cloud controller manager removes it, after it has looked the machine up in the cloud. It has not ({what}), so nothing but pods that tolerate the taint is scheduled there: workloads, often CoreDNS too, stay Pending.',
  },

  clues: {
    notFound: proves(notFound),
    noCloud: proves(noCloud),
    taint: supports('node.taint', ({ key }) => key === TAINT),
    refusal: proves(refusal),
    initialised: excludes(initialised),
  },
  says: {
    notFound: 'the cloud controller cannot look up node {node}: {error}',
    noCloud: 'the cloud provider cannot be set up: {error}',
    taint: 'the node still carries the taint uninitialized',
    refusal: 'the scheduler refuses nodes with the taint uninitialized',
    initialised: 'the node was initialised',
  },
  slots: (_place, { notFound: unknown, noCloud: none, taint }) => {
    const node = unknown?.fields['node'] || taint?.about.replace(/^Node\//, '').replace('?', '');
    const error = (unknown?.fields['error'] ?? none?.fields['error'] ?? '')
      .replaceAll('\\"', '"')
      .replace(/^[\s:,"]+/, '')
      .slice(0, 160);
    return {
      nodes: node ? `node ${node}` : 'the nodes',
      node: node || 'NODE',
      error: error || 'see its log',
      what: error || 'it is not installed, does not run, or cannot find the machine in the cloud',
    };
  },

  fixes: [
    {
      say: 'See whether a cloud controller manager runs, and what it says',
      risk: 'reads-only',
      steps: [
        { say: 'its pods (names differ by cloud)', run: 'kubectl get pods -A | grep -iE "cloud-controller|ccm|cloud-node"', on: 'cluster' },
        {
          say: 'its log: credentials, region, and node names that the cloud does not know',
          run: 'kubectl -n kube-system logs -l k8s-app=cloud-controller-manager --tail=50',
          on: 'cluster',
        },
        {
          say: 'provider ids and taints of the nodes',
          run: "kubectl get nodes -o custom-columns='NODE:.metadata.name,ID:.spec.providerID,TAINTS:.spec.taints[*].key'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Install or repair the cloud controller manager: credentials and cloud config, node names as the cloud knows them, a toleration for the taint, hostNetwork so that it starts before the pod network',
      risk: 'restarts-pods',
      steps: [{ say: 'restart it after the change', run: 'kubectl -n kube-system rollout restart daemonset NAME', on: 'cluster' }],
      verified: 'the taint is gone from {nodes}',
    },
    {
      say: 'Without a cloud: the kubelet must not be told of one',
      risk: 'touches-node',
      steps: [
        {
          say: 'remove --cloud-provider=external, then restart',
          run: 'grep -rn cloud-provider /var/lib/kubelet/kubeadm-flags.env /etc/default/kubelet /etc/systemd/system/kubelet.service.d; systemctl restart kubelet',
          on: 'node',
        },
        {
          say: 'the taint that stands already',
          run: 'kubectl taint nodes {{node}} node.cloudprovider.kubernetes.io/uninitialized-',
          on: 'cluster',
        },
      ],
      verified: 'pods are scheduled to {nodes}',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes staging/src/k8s.io/cloud-provider/controllers/node/node_controller.go'],
});
