import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'] as const;

const hostLocal = line(
  ['no IP addresses available in'],
  CHANNELS,
  /no IP addresses available in (?:range set: (?<range>[\da-fA-F.:-]{5,100})|network:? (?<network>[\w.-]{1,80}))/,
);
const calico = line(
  [
    'requested IPv4 addresses',
    'requested IPv6 addresses',
    'no configured Calico pools',
    'No IPs available in pools',
    'per host block limit',
    'IPAM allocated only 0',
    'pools are likely exhausted',
    'autoassign an address',
  ],
  [...CHANNELS, 'container-log'],
  /(?:failed to request \d{1,3} IPv[46] addresses\. IPAM allocated only 0|(?:Unable|Failed) to autoassign an address[^\n]{0,40}?exhausted|Assigned 0 out of \d{1,3} requested IPv[46] addresses(?:; No IPs available in pools: \[(?<range>[^\]\n]{1,200})\])?|no configured Calico pools(?: for node (?<node>[\w.-]{1,253}))?|No IPs available in pools|cannot allocate new block due to per host block limit)/,
);
const cilium = line(
  ['range is full', 'No more IPs available', 'all pod IPs are in use', 'IP allocator is full'],
  CHANNELS,
  /(?:(?:postIpamFailure|allocate IP|IPAM|ipam|pod addresses|allocation failed|allocat\w{1,4}(?! a (?:serviceIP|nodePort)))[^\n]{0,200}?(?:range is full|No more IPs available|all pod IPs are in use)|IP allocator is full)/,
);
const cloud = line(
  [
    'failed to assign an IP address to container',
    'InsufficientFreeAddressesInSubnet',
    'InsufficientCidrBlocks',
    "aren't sufficient free Ipv4 addresses",
    'not have enough free cidr blocks',
    'PrivateIpAddressLimitExceeded',
    'no available IP/Prefix addresses',
    'InvalidVSwitchId.IpNotEnough',
    'IP_SPACE_EXHAUSTED',
    'No available addresses',
    'not enough IPs available',
    'Subnet is full',
    'SubnetIsFull',
    'NoAvailableAddress',
    'no available IPv4 addresses on this network',
    'DataStore has no available IP',
  ],
  [...CHANNELS, 'container-log', 'object-events'],
  /(?:failed to assign an IP address to container|InsufficientFreeAddressesInSubnet|(?<prefix>InsufficientCidrBlocks|aren't sufficient free Ipv4 addresses or prefixes|not have enough free cidr blocks)|PrivateIpAddressLimitExceeded|no available IP\/Prefix addresses|InvalidVSwitchId\.IpNotEnough|IP_SPACE_EXHAUSTED\w{0,30}|(?:Failed to (?:allocate|reserve)|AllocateIPConfig|IPAM)[^\n]{0,200}?(?:No available addresses|not enough IPs available)|Subnet ?(?:Is ?)?[Ff]ull|NoAvailableAddress|DataStore has no available IP(?: addresses|\/Prefix)|no available IPv4 addresses on this network)/,
);
/** With prefix delegation AWS gives whole blocks of 16 addresses; single free addresses do not help. */
const prefix = line(
  ['InsufficientCidrBlocks', 'free Ipv4 addresses or prefixes', 'not have enough free cidr blocks', 'Prefix target is '],
  [...CHANNELS, 'container-log', 'object-events'],
  /InsufficientCidrBlocks|aren't sufficient free Ipv4 addresses or prefixes|not have enough free cidr blocks|Prefix target is \d{1,4}, short of [1-9]\d{0,3} prefixes, free 0/,
);
const whereabouts = line(
  ['Could not allocate IP in range'],
  CHANNELS,
  /Could not allocate IP in range: (?:ip: )?(?<range>[^\n"]{3,90}?)(?: \/ range: |["\n]|$)/,
);
const bridge = line('already has an IP address different from', ['pod-events', 'kubelet-log']);
const tooMany = supports('pod.event', ({ reason, message }) => reason === 'FailedScheduling' && /Too many pods/.test(message));

export const cause = defineCause({
  id: 'pod-ip-exhausted',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'pending', 'stuck-terminating', 'other-trouble'],

  text: {
    name: 'No pod addresses left',
    title: 'There is no free pod IP address for {node}: {range} is used up',
    why: 'The address management (IPAM) of the pod network has no free IP address left in {range}, so new pods of {node} get no network and stay in ContainerCreating. Either there are more pods than addresses, or addresses of pods long gone were never given back (leaked reservations).',
  },

  clues: {
    hostLocal: proves(hostLocal),
    calico: proves(calico),
    cilium: proves(cilium),
    cloud: proves(cloud),
    prefix: supports(prefix),
    whereabouts: proves(whereabouts),
    tooMany,
    bridge: excludes(bridge),
  },
  says: {
    hostLocal: 'all addresses of {range} are reserved',
    calico: 'calico has no address left for this node: {range}',
    cilium: 'cilium or OVN has no address left for this node',
    cloud: 'the cloud network has no free address: {range}',
    prefix: 'AWS finds no free block of 16 addresses (prefix /28) in the subnet',
    whereabouts: 'whereabouts finds no free address in {range}',
    tooMany: 'nodes are full of pods at the same time',
    bridge: 'the bridge keeps an old address: the subnet of the node has changed',
  },
  slots: (place, { hostLocal: local, calico: pools, cloud: subnet, prefix: blocks, whereabouts: other }) => ({
    node: place.name,
    range:
      local?.fields['range'] ??
      (local?.fields['network'] === undefined ? undefined : `network ${local.fields['network']}`) ??
      pools?.fields['range'] ??
      other?.fields['range']?.replace(/ ?\/ ?- /, ' - ').trim() ??
      (blocks
        ? 'the supply of whole /28 blocks (prefixes) in the subnet of the node, which may be fragmented,'
        : subnet
          ? 'the subnet of the node (or the limit of addresses per instance)'
          : pools
            ? 'the set of IP pools of calico for this node'
            : 'the pod address range'),
  }),

  fixes: [
    {
      say: 'Compare the reserved addresses with the pods that exist',
      risk: 'reads-only',
      steps: [
        { say: 'host-local: one file per address', run: 'ls /var/lib/cni/networks/* | grep -c "\\."', on: 'node' },
        {
          say: 'pods of the node that need one',
          run: 'kubectl get pods -A -o jsonpath=\'{range .items[?(@.spec.hostNetwork!=true)]}{.status.podIP}{"\\n"}{end}\' --field-selector spec.nodeName={{node}} | wc -l',
          on: 'cluster',
        },
        { say: 'calico: use of pools and leaks', run: 'calicoctl ipam show --show-blocks; calicoctl ipam check', on: 'cluster' },
        { say: 'cilium', run: 'kubectl -n kube-system exec ds/cilium -- cilium-dbg status | grep -i ipam', on: 'cluster' },
        {
          say: 'AWS: free addresses of the subnets',
          run: "aws ec2 describe-subnets --query 'Subnets[].[SubnetId,AvailableIpAddressCount]' --output table",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Free reservations that were left behind, on a drained node',
      risk: 'restarts-pods',
      steps: [
        { say: 'move the pods away first', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        {
          say: 'host-local: with the kubelet stopped and no sandbox left, remove the reservation files',
          run: 'systemctl stop kubelet; crictl rmp -fa; find /var/lib/cni/networks -type f -name "*.*.*.*" -delete; systemctl start kubelet',
          on: 'node',
        },
        { say: 'calico: release what ipam check found', run: 'calicoctl ipam release --from-report=REPORT', on: 'cluster' },
        { say: 'let pods come back', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
      verified: 'a new pod on {node} gets an address',
    },
    {
      say: 'Make the address range larger, or run fewer pods per node',
      risk: 'moves-pods',
      steps: [
        {
          say: 'calico: a further IPPool; cilium: clusterPoolIPv4PodCIDRList; Kubernetes IPAM: a smaller --node-cidr-mask-size for new nodes',
        },
        {
          say: 'AWS: prefix delegation, or larger and secondary subnets',
          run: 'kubectl -n kube-system set env daemonset/aws-node ENABLE_PREFIX_DELEGATION=true WARM_PREFIX_TARGET=1',
          on: 'cluster',
        },
        {
          say: 'AWS with prefix delegation: single addresses all over the subnet break up its /28 blocks; a subnet of its own, or a reservation of kind prefix, keeps blocks free',
          run: 'aws ec2 create-subnet-cidr-reservation --subnet-id SUBNET-ID --reservation-type prefix --cidr CIDR',
          on: 'cluster',
        },
        { say: 'add nodes, or lower maxPods of the kubelet below the number of addresses' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containernetworking/plugins plugins/ipam/host-local/backend/allocator',
    'projectcalico/calico libcalico-go/lib/ipam',
    'cilium pkg/ipam, plugins/cilium-cni',
    'aws/amazon-vpc-cni-k8s cmd/routed-eni-cni-plugin',
    'k8snetworkplumbingwg/whereabouts pkg/allocate',
  ],
});
