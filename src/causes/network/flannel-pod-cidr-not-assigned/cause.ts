import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const noRange = line(
  [
    'pod cidr not assigned',
    'pod ipv6 cidr not assigned',
    'PodCIDR not available',
    'node.Spec.PodCIDR not set',
    'Failed to get pod CIDR from node spec',
    'due to lack of PodCIDR',
    'no podCIDR found for node',
    'no podCidr for node',
    'no IPv4 CIDR configured',
    'PodCIDR is empty for Node',
    'CIDR string is empty for Node',
  ],
  ['container-log', 'pod-events', 'kubelet-log', 'containerd-log', 'crio-log'],
  /(?:usePodCidr found but there is no IPv4 CIDR configured|PodCIDR is empty for Node[^\n]{0,200}?(?:nodeName=[\\"]{1,4}(?<antrea>[\w.-]{1,253})|$)|CIDR string is empty for Node (?<agent>[\w.-]{1,253})|node [\\"“”]{1,8}(?<node>[^\s\\"“”]{1,253})[\\"“”]{1,8} pod (?:ipv6 )?cidr not assigned|pod (?:ipv6 )?cidr not assigned|required IPv[46] PodCIDR not available|Failed to get pod CIDR from node spec|node\.Spec\.PodCIDR not set(?: for node:? (?<router>[\w.-]{1,253}))?|due to lack of PodCIDR|no podCidr (?:found )?for node:? [\\"“”]{0,8}(?<other>[\w.-]{1,253}))/i,
);
const exhausted = line(
  ['no remaining CIDRs left to allocate', 'CIDRNotAvailable', 'Failed to allocate CIDR for node'],
  ['control-plane-log', 'node-events'],
  /(?:no remaining CIDRs left to allocate|status is now: CIDRNotAvailable|Failed to allocate CIDR for node)/,
);
const disabled = line('allocate-node-cidrs=false', ['pod-spec', 'control-plane-log', 'host-tools']);
/** Each node takes a block of the size of node-cidr-mask-size (24 if not said) out of the cluster CIDR. */
const size = line(
  ['--cluster-cidr='],
  ['pod-spec', 'control-plane-log', 'host-tools'],
  /--cluster-cidr=(?<cidr>\d{1,3}(?:\.\d{1,3}){3}\/(?<bits>\d{1,2}))(?![\d,])(?:[\s\S]{0,400}?--node-cidr-mask-size(?:-ipv4)?=(?<mask>\d{1,2}))?/,
);
const passed = line(['Running backend.', 'Wrote subnet file to'], 'container-log');

function isTooSmall({ fields }: Fact<'log.signature'>): boolean {
  return Number(fields['bits']) >= Number(fields['mask'] ?? 24);
}

export const cause = defineCause({
  id: 'flannel-pod-cidr-not-assigned',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'init-crash', 'other-trouble'],
  effectOf: ['controller-manager-down'],

  text: {
    name: 'Node has no pod CIDR',
    title: '{whose} has no pod CIDR (spec.podCIDR is empty), so the network add-on cannot start: {why}',
    why: 'The network add-on (flannel and others) takes the pod subnet of its node from spec.podCIDR of the Node object, which the controller manager fills in. On {node} it is empty: {why}. So the add-on gives up at its start and the node has no pod network.',
  },

  clues: {
    noRange: proves(noRange),
    exhausted: supports(exhausted),
    disabled: supports(disabled),
    tooSmall: supports(size, isTooSmall),
    passed: excludes(passed),
  },
  says: {
    noRange: 'the add-on finds no pod CIDR on node {node}',
    exhausted: 'the controller manager has no pod CIDR left to give',
    disabled: 'the controller manager is told not to allocate node CIDRs',
    tooSmall: 'the cluster CIDR {cidr} holds one block for a node at most',
    passed: 'the add-on got its subnet; what stops it comes later',
  },
  slots: (place, { noRange: said, exhausted: full, disabled: off, tooSmall: small }) => {
    const { node, router, other, antrea, agent } = said?.fields ?? {};
    const name = node ?? router ?? other ?? antrea ?? agent ?? place.name;
    return {
      node: name,
      whose: name.includes(' ') ? name : `Node ${name}`,
      cidr: small?.fields['cidr'] ?? 'of the cluster',
      why: small
        ? `the cluster CIDR ${small.fields['cidr']} is too small: it must hold one block of /${small.fields['mask'] ?? 24} (--node-cidr-mask-size) for each node`
        : full
          ? 'the cluster CIDR has no subnet left for another node'
          : off
            ? 'the controller manager runs with --allocate-node-cidrs=false'
            : 'mostly the cluster was made without --pod-network-cidr (controller manager without --allocate-node-cidrs and --cluster-cidr)',
    };
  },

  fixes: [
    {
      say: 'See which nodes have a pod CIDR and how the controller manager is started',
      risk: 'reads-only',
      steps: [
        {
          say: 'pod CIDR of every node',
          run: "kubectl get nodes -o custom-columns='NODE:.metadata.name,CIDR:.spec.podCIDR'",
          on: 'cluster',
        },
        {
          say: 'flags of the controller manager',
          run: "grep -nE 'allocate-node-cidrs|cluster-cidr|node-cidr-mask' /etc/kubernetes/manifests/kube-controller-manager.yaml",
          on: 'node',
        },
        {
          say: 'what it says about it',
          run: 'kubectl -n kube-system logs -l component=kube-controller-manager --tail=200 | grep -i cidr',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Let the controller manager allocate pod CIDRs (the same as kubeadm init --pod-network-cidr)',
      risk: 'touches-node',
      steps: [
        {
          say: 'on each control plane add --allocate-node-cidrs=true and --cluster-cidr=10.244.0.0/16 (the Network of flannel) to the command; it restarts by itself',
          run: 'vi /etc/kubernetes/manifests/kube-controller-manager.yaml',
          on: 'node',
        },
        {
          say: 'podSubnet in the kubeadm configuration, so that upgrades keep it',
          run: 'kubectl -n kube-system edit configmap kubeadm-config',
          on: 'cluster',
        },
        {
          say: 'where the cluster CIDR is too small for one block per node: a larger --cluster-cidr that overlaps neither Services nor hosts, or a larger --node-cidr-mask-size',
          run: "grep -nE 'cluster-cidr|node-cidr-mask|service-cluster-ip-range' /etc/kubernetes/manifests/kube-controller-manager.yaml",
          on: 'node',
        },
        { say: 'start the add-on anew', run: 'kubectl -n kube-flannel rollout restart daemonset kube-flannel-ds', on: 'cluster' },
      ],
      verified: 'kubectl get node {node} -o jsonpath={.spec.podCIDR} prints a subnet and the add-on runs',
    },
    {
      say: 'Or give this one node its subnet by hand',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a subnet that no other node has; it cannot be changed afterwards',
          run: 'kubectl patch node {{node}} -p \'{"spec":{"podCIDR":"10.244.N.0/24","podCIDRs":["10.244.N.0/24"]}}\'',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'flannel-io/flannel pkg/subnet/kube/kube.go (AcquireLease)',
    'kubernetes pkg/controller/nodeipam/ipam',
    'cilium pkg/k8s (required IPv4 PodCIDR not available)',
    'cloudnativelabs/kube-router pkg/utils/pod_cidr.go',
  ],
});
