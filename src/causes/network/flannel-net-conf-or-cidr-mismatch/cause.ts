import { defineCause, excludes, line, minutes, on, proves } from '../../define-cause.ts';

const outside = line(
  ["specified in the flannel net config doesn't contain", "flannel net config doesn't contain"],
  'container-log',
  /(?:subnet [\\"“”]{1,8}(?<network>[\da-fA-F.:/]{3,50})[\\"“”]{1,8} )?specified in the flannel net config doesn't contain [\\"“”]{1,8}(?<range>[\da-fA-F.:/]{3,50})[\\"“”]{1,8}(?: (?:IPv6 )?PodCIDR of the [\\"“”]{1,8}(?<node>[\w.-]{1,253}))?/,
);
const unreadable = line(
  ['failed to read net conf', 'error parsing subnet config', 'failed to parse net config', 'failed to read config'],
  'container-log',
  /(?:failed to read net conf|error parsing subnet config|failed to parse net config|failed to read config(?=[^\n]{0,80}flannel)):? (?<error>[^\n]{0,200})/i,
);
const noEtcdKey = line(
  ["Couldn't fetch network config", 'failed to retrieve network config'],
  ['container-log', 'system-log'],
  /(?:Couldn't fetch network config|failed to retrieve network config): (?<error>[^\n]{0,200})/i,
);
const noRange = line('pod cidr not assigned', ['container-log', 'system-log']);

/** The first address of a range as a number, and how many of its bits count. */
function rangeOf(cidr: string | undefined): { readonly start: number; readonly bits: number } | undefined {
  const groups = /^(?<a>\d{1,3})\.(?<b>\d{1,3})\.(?<c>\d{1,3})\.(?<d>\d{1,3})\/(?<bits>\d{1,2})$/.exec(cidr ?? '')?.groups;
  if (!groups) return undefined;
  const [a, b, c, d, bits] = ['a', 'b', 'c', 'd', 'bits'].map((part) => Number(groups[part]));
  return { start: (((a ?? 0) * 256 + (b ?? 0)) * 256 + (c ?? 0)) * 256 + (d ?? 0), bits: bits ?? 32 };
}

/** What flannel wrote down itself: the subnet of this node, and the network it should lie in. */
function liesOutside(subnet: string | undefined, network: string | undefined): boolean {
  const [own, whole] = [rangeOf(subnet), rangeOf(network)];
  if (!own || !whole || whole.bits > 32) return false;
  const size = 2 ** (32 - whole.bits);
  return Math.floor(own.start / size) !== Math.floor(whole.start / size);
}

export const cause = defineCause({
  id: 'flannel-net-conf-or-cidr-mismatch',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'init-crash', 'creating', 'other-trouble'],

  wakesOn: [on('host.cni-config', { name: 'subnet.env' })],

  text: {
    name: 'Flannel network does not fit',
    title: 'The network configuration of flannel is wrong: {what}',
    why: 'flannel reads the network of all pods from net-conf.json (ConfigMap kube-flannel-cfg; older installations: etcd) and accepts only a node whose pod CIDR lies inside it. {what}, so flannel ends and the nodes have no pod network.',
  },

  clues: {
    outside: proves(outside),
    written: proves('host.cni-config', ({ name, subnet, network }) => name === 'subnet.env' && liesOutside(subnet, network)),
    unreadable: proves(unreadable),
    noEtcdKey: proves(noEtcdKey),
    noRange: excludes(noRange),
  },
  says: {
    outside: 'pod CIDR {range} of the node lies outside of {network}',
    written: 'subnet.env of the node: its subnet {range} lies outside of {network}',
    unreadable: 'flannel cannot read its net-conf: {error}',
    noEtcdKey: 'flannel cannot get its network from etcd: {error}',
    noRange: 'the node has no pod CIDR at all',
  },
  slots: (_place, { outside: misfit, written, unreadable: broken, noEtcdKey: noKey }) => {
    const error = (broken?.fields['error'] ?? noKey?.fields['error'] ?? 'it cannot be read').trim();
    const network = misfit?.fields['network'] ?? written?.network ?? 'its Network';
    const range = misfit?.fields['range'] ?? written?.subnet?.replace(/\.\d{1,3}\//, '.0/') ?? 'of the node';
    const node = misfit?.fields['node'];
    return {
      error,
      network,
      range,
      prefix: range.includes('/') ? range.replace(/\.\d+\.\d+\/\d+$/, '.0.0/16') : '10.244.0.0/16',
      what:
        misfit || written
          ? `Network ${network} in net-conf.json does not contain the pod CIDR ${range}${node ? ` of node ${node}` : ''}`
          : noKey
            ? `the key /coreos.com/network/config cannot be read from etcd (${error})`
            : `net-conf.json cannot be read (${error})`,
    };
  },

  fixes: [
    {
      say: 'Compare the Network of flannel with the pod CIDRs of the nodes',
      risk: 'reads-only',
      steps: [
        {
          say: 'what flannel is configured for',
          run: "kubectl -n kube-flannel get configmap kube-flannel-cfg -o jsonpath='{.data.net-conf\\.json}'",
          on: 'cluster',
        },
        { say: 'what the nodes have', run: "kubectl get nodes -o custom-columns='NODE:.metadata.name,CIDR:.spec.podCIDR'", on: 'cluster' },
        { say: 'what the cluster was made with', run: 'kubectl cluster-info dump | grep -m1 -- --cluster-cidr', on: 'cluster' },
      ],
    },
    {
      say: 'Set Network in net-conf.json to the pod network of the cluster (--pod-network-cidr, podSubnet)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'in ConfigMap kube-flannel-cfg: "Network": "{prefix}" or whatever range holds all pod CIDRs; valid JSON',
          run: 'kubectl -n kube-flannel edit configmap kube-flannel-cfg',
          on: 'cluster',
        },
        { say: 'flannel reads it at its start', run: 'kubectl -n kube-flannel rollout restart daemonset kube-flannel-ds', on: 'cluster' },
        { say: 'after a change of subnets the old bridge must go', run: 'ip link delete cni0; ip link delete flannel.1', on: 'node' },
      ],
      verified: 'kube-flannel runs and FLANNEL_NETWORK in /run/flannel/subnet.env holds FLANNEL_SUBNET',
    },
    {
      say: 'Where flannel keeps its network in etcd, write the key by the API version flannel reads',
      risk: 'touches-node',
      for: ['noEtcdKey'],
      steps: [
        {
          say: 'flannel up to 0.13 reads etcd API v2: the server needs --enable-v2=true',
          run: 'ETCDCTL_API=2 etcdctl set /coreos.com/network/config \'{"Network":"10.244.0.0/16","Backend":{"Type":"vxlan"}}\'',
          on: 'node',
        },
        {
          say: 'newer ones read v3',
          run: 'ETCDCTL_API=3 etcdctl put /coreos.com/network/config \'{"Network":"10.244.0.0/16","Backend":{"Type":"vxlan"}}\'',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['flannel-io/flannel pkg/subnet/kube/kube.go', 'flannel-io/flannel pkg/subnet/config.go', 'flannel-io/flannel pkg/subnet/etcd'],
});
