import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['container-log', 'pod-events', 'object-events', 'objects'] as const;
const limits = line(
  ['exceed limits for nodepool', 'exceed limits for provisioner', 'node limits have been exhausted for nodepool'],
  SAID_BY,
  /(?:all available instance types exceed limits for|node limits have been exhausted for) (?:nodepool|provisioner):?[\s(\\"]{0,8}(?:NodePool=)?(?<pool>[\w.-]{0,253})/,
);
/** Words of the clouds behind a scale-up that failed; permissions are another matter. */
const refused = line(
  [
    'scale-up failed',
    'scale up failed',
    'Failed to scale up',
    'launching nodeclaim',
    'with fleet error',
    'creating instance',
    'FailedToScaleUpGroup',
    'FailedScaleUp',
    'Node scale up in zones',
    'insufficient capacity, all requested instance types',
    'Launching EC2 instance failed',
    'vCPU limit of ',
    'approved Total Regional',
    'exceeding approved ',
    'AsgInstanceLaunchFailures',
    'Not all instances running in IGM',
    'is currently not available in location',
    'ZONE_RESOURCE_POOL_EXHAUSTED',
    'does not have enough resources available to fulfill',
  ],
  [...SAID_BY, 'prose'],
  /(?<sku>requested (?:VM )?size[^\n]{0,80}? is currently not available in location)|(?<zone>ZONE_RESOURCE_POOL_EXHAUSTED|does not have enough resources available to fulfill the request)|(?<stock>insufficient capacity, all requested instance types were unavailable)|(?<vcpu>requested more vCPU capacity than your current vCPU limit of \d{1,7})|(?<cores>exceeding approved [\w .]{2,60}? quota)|(?:Node scale up in zones|FailedScaleUp)[^\n]{0,300}?(?<gce>GCE (?:quota exceeded|out of resources))|(?:[Ss]cale[- ]?up failed|[Ff]ailed to scale up|launching (?:nodeclaim|machine)|with fleet error|creating instance|FailedToScaleUpGroup|Not all instances running in IGM)[^\n]{0,400}?\b(?<code>Insufficient(?:Instance)?Capacity|VcpuLimitExceeded|MaxSpotInstanceCountExceeded|InstanceLimitExceeded|UnfulfillableCapacity|ZONE_RESOURCE_POOL_EXHAUSTED\w{0,20}|GCE_STOCKOUT|QUOTA_EXCEEDED|QuotaExceeded|SkuNotAvailable|(?:Zonal)?AllocationFailed|OverconstrainedAllocationRequest|OutOfHostCapacity|LimitExceeded)/,
);
/** A pool takes part only once it and its node class are Ready. */
const notReady = line(
  ['ignoring nodepool, not ready', 'no nodepools found', 'nodeclass not ready', 'NodeClassNotReady', 'no provisioners found'],
  SAID_BY,
  /ignoring nodepool, not ready(?:[^\n]{0,120}?NodePool[\\"':={ ]{1,12}(?:name[\\"':= ]{1,8})?(?<pool>[\w.-]{1,253}))?|(?<none>no (?:nodepools|provisioners) found)|(?<class>NodeClassNotReady|nodeclass not ready)/i,
);
/** Karpenter looks subnets, security groups, images and profile up by the selectors of its EC2NodeClass. */
const nothingSelected = line(
  [
    'exist given constraints',
    ' matched selector',
    'no subnets found',
    'no security groups found',
    'SubnetsNotFound',
    'SecurityGroupsNotFound',
    'AMINotFound',
    'InstanceProfileNotFound',
  ],
  SAID_BY,
  /no (?<kind>subnets|security groups|amis) (?:exist given constraints|found|matched selectors?\b)|(?:Subnet|SecurityGroup) ?[Ss]elector did not match any (?<selector>Subnets|SecurityGroups)|(?<reason>SubnetsNotFound|SecurityGroupsNotFound|AMINotFound|InstanceProfileNotFound)/i,
);
const late = line(
  ['Scale-up timed out for node group'],
  'container-log',
  /Scale-up timed out for node group (?<group>[^\s"]{1,253}) after (?<after>[\dhms.]{2,30})/,
);
const unregistered = line(
  ['longUnregistered=', 'Node not registered with cluster'],
  ['container-log', 'objects'],
  /longUnregistered=(?<count>[1-9]\d{0,5})|Node not registered with cluster/,
);
const atMaximum = line(
  ['max node group size reached', 'max size reached', 'max limit reached', 'max cluster cpu, memory or', 'max cluster size reached'],
  ['pod-events', 'container-log'],
  /max (?:(?:node group |cluster )?size|limit) reached|max cluster (?:cpu|memory)[^\n]{0,40}? limit/,
);
const backsOff = line(
  ['is not ready for scaleup', 'Disabling scale-up for node group', 'not ready for scale-up'],
  ['container-log', 'pod-events'],
  /(?:Node group (?<group>[^\s"]{1,253}) is )?not ready for scale-?up(?: - (?<why>\w{3,30}))?|Disabling scale-up for node group (?<off>[^\s"]{1,253}) until [^\n;]{5,80}(?:; errorClass=(?<class>\w{2,40}); errorCode=(?<code>[\w.-]{2,60}))?/,
);
const permission = line(
  ['is not authorized to perform', 'UnauthorizedOperation', 'AccessDenied: ', 'AuthorizationFailed'],
  [],
  /not authorized to perform|UnauthorizedOperation|AccessDenied|AuthorizationFailed/,
);
/** Whoever asks the cloud for a machine is told so, also by hand. */
function isOfAnybody(fields: Readonly<Record<string, string>>): boolean {
  return (fields['sku'] ?? fields['zone']) !== undefined;
}
const QUOTA = /quota|limit|Spot/i;

export const cause = defineCause({
  id: 'node-group-cannot-grow',
  area: 'scheduling',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['pending', 'other-trouble'],

  text: {
    name: 'Autoscaler cannot add nodes',
    title: 'The autoscaler cannot add nodes: {what}',
    why: 'Pods wait for a node that the autoscaler asked for or would ask for, and none comes: {what}. {mechanism}',
  },

  clues: {
    limits: proves(limits),
    refused: proves(refused, ({ fields, channel }) => !isOfAnybody(fields) || channel === 'container-log'),
    noStock: supports(refused, ({ fields, channel }) => isOfAnybody(fields) && channel !== 'container-log'),
    nothingSelected: proves(nothingSelected),
    notReady: proves(notReady, ({ fields, channel }) => fields['class'] === undefined || channel === 'container-log'),
    late: proves(late),
    unregistered: supports(unregistered),
    atMaximum: supports(atMaximum),
    backsOff: supports(backsOff),
    permission: excludes(permission),
  },
  says: {
    limits: 'the limits of the NodePool {group} are reached',
    refused: 'the cloud refuses the machines: {code}',
    noStock: 'the cloud has no such machine to give: {code}',
    nothingSelected: 'Karpenter finds no {kind} by the selectors of its node class',
    notReady: 'Karpenter has no NodePool that is ready',
    late: 'machines of the group {group} did not become nodes within {after}',
    unregistered: '{count} machines run that never registered as nodes',
    atMaximum: 'the node group has its maximum size',
    backsOff: 'the autoscaler leaves the group alone for a while after a failure',
    permission: 'the cloud refuses for lack of permission',
  },
  slots: (
    _place,
    {
      limits: full,
      refused: turnedDown,
      noStock: soldOut,
      nothingSelected: nothing,
      notReady: idle,
      late: timedOut,
      unregistered: lost,
      atMaximum: maximum,
      backsOff: off,
    },
  ) => {
    const no = turnedDown ?? soldOut;
    const group = full?.fields['pool'] || timedOut?.fields['group'] || off?.fields['group'] || off?.fields['off'] || 'in question';
    const kind = (
      nothing?.fields['kind'] ??
      nothing?.fields['selector'] ??
      nothing?.fields['reason']?.replace('NotFound', '') ??
      'subnets or security groups'
    ).replace(/([a-z])([A-Z])/g, '$1 $2');
    const code =
      no?.fields['code'] ??
      no?.fields['stock'] ??
      no?.fields['vcpu'] ??
      no?.fields['cores'] ??
      no?.fields['gce'] ??
      no?.fields['sku'] ??
      no?.fields['zone'] ??
      off?.fields['code'] ??
      'see its message';
    const [what, mechanism] = no
      ? QUOTA.test(code)
        ? [`the quota of the cloud account is used up (${code})`, 'Clouds limit cores, machines and spot machines per account and region.']
        : [
            `the cloud has no such machines to give at the moment (${code})`,
            'Capacity differs by zone and type: more types and zones help.',
          ]
      : nothing
        ? [
            `Karpenter finds no ${kind} by the selectors (tags, ids) of its EC2NodeClass`,
            'Subnets, security groups and images are looked up by tag, mostly karpenter.sh/discovery with the name of the cluster.',
          ]
        : idle
          ? idle.fields['none']
            ? [
                'Karpenter has no NodePool at all',
                'Without one it provisions nothing: the objects of an older version (Provisioner, v1beta1) do not count after an upgrade.',
              ]
            : [
                `Karpenter leaves NodePool ${idle.fields['pool'] ?? 'NAME'} out, as it or its EC2NodeClass is not Ready`,
                'The conditions of the EC2NodeClass tell what it lacks: subnets, security groups, images, or the instance profile (role).',
              ]
          : full
            ? [
                `the limits of NodePool ${group} are reached`,
                'spec.limits of a NodePool caps the cores and memory of all its nodes together.',
              ]
            : timedOut
              ? [
                  `machines of the group ${group} were asked for, but did not register as nodes in time (${timedOut.fields['after'] ?? ''})`,
                  'Either the cloud had no machine to give, or the machine runs and its kubelet cannot join (bootstrap script, token, rights, network, image).',
                ]
              : lost
                ? [
                    `${lost.fields['count'] ?? '1'} machine(s) run but never registered as nodes`,
                    'The machine is up and its kubelet cannot join: bootstrap script, token, rights (aws-auth), network or image. The autoscaler counts on it and adds no other.',
                  ]
                : maximum
                  ? ['the node group has its maximum size', 'The autoscaler never goes beyond the maximum that the group is set to.']
                  : off
                    ? [`the group ${group} is in a back-off after a failed scale-up`, 'Its log tells what failed before.']
                    : ['no group can grow', 'Its log tells why.'];
    return {
      group,
      code,
      kind,
      after: timedOut?.fields['after'] ?? 'the time it waits',
      count: lost?.fields['count'] ?? '1',
      what: what ?? '',
      mechanism: mechanism ?? '',
    };
  },

  fixes: [
    {
      say: 'Ask the autoscaler what it tried',
      risk: 'reads-only',
      steps: [
        {
          say: 'cluster-autoscaler: state of every group',
          run: 'kubectl -n kube-system get configmap cluster-autoscaler-status -o yaml; kubectl -n kube-system logs deploy/cluster-autoscaler | grep -iE "scale.?up|backoff|unregistered" | tail -20',
          on: 'cluster',
        },
        {
          say: 'Karpenter: its claims and pools',
          run: 'kubectl get nodeclaims,nodepools; kubectl describe nodeclaims | tail -40',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Limits, maximum or quota: raise them, or allow more instance types and zones',
      risk: 'touches-node',
      for: ['limits', 'refused', 'noStock', 'atMaximum', 'backsOff'],
      steps: [
        { say: 'Karpenter: spec.limits of the pool', run: 'kubectl edit nodepool NAME', on: 'cluster' },
        {
          say: 'node groups: the maximum in the cloud (AWS: auto scaling group, GKE and AKS: node pool); quotas by a request to the cloud',
        },
      ],
      verified: 'a node comes, and the pods are scheduled',
    },
    {
      say: 'Nothing found by the selectors: tag the subnets and security groups, or correct the selectors of the EC2NodeClass',
      risk: 'touches-node',
      for: ['nothingSelected'],
      steps: [
        { say: 'what it looks for, and found', run: 'kubectl describe ec2nodeclass | grep -A12 -E "Selector|Conditions"', on: 'cluster' },
        {
          say: 'what has the tag',
          run: 'aws ec2 describe-subnets --filters Name=tag:karpenter.sh/discovery,Values=CLUSTER --query "Subnets[].SubnetId"; aws ec2 describe-security-groups --filters Name=tag:karpenter.sh/discovery,Values=CLUSTER --query "SecurityGroups[].GroupId"',
          on: 'cluster',
        },
      ],
      verified: 'the EC2NodeClass is Ready',
    },
    {
      say: 'Bring NodePool and EC2NodeClass to Ready',
      risk: 'touches-node',
      for: ['notReady'],
      steps: [
        {
          say: 'are there any, and what do their conditions say',
          run: 'kubectl get nodepools,ec2nodeclasses; kubectl describe ec2nodeclasses | grep -A20 Conditions:',
          on: 'cluster',
        },
        {
          say: 'none there: apply them in the version that this Karpenter serves',
          run: 'kubectl api-versions | grep karpenter',
          on: 'cluster',
        },
      ],
      verified: 'kubectl get nodepools shows READY True, and a node comes',
    },
    {
      say: 'Machines that never register: look at their boot, then delete them so that the autoscaler tries anew',
      risk: 'touches-node',
      for: ['late', 'unregistered'],
      steps: [
        {
          say: 'on such a machine',
          run: 'journalctl -u kubelet --no-pager | tail -40; tail -40 /var/log/cloud-init-output.log',
          on: 'node',
        },
        {
          say: 'EKS: the role of the nodes must be allowed to join',
          run: 'kubectl -n kube-system get configmap aws-auth -o yaml',
          on: 'cluster',
        },
      ],
      verified: 'longUnregistered is 0, and kubectl get nodes shows the new node Ready',
    },
  ],

  verify: { quietForMinutes: minutes(20) },
  sources: [
    'kubernetes/autoscaler cluster-autoscaler/clusterstate/clusterstate.go, core/scaleup/orchestrator, core/utils (skipped reasons)',
    'kubernetes-sigs/karpenter pkg/controllers/provisioning/scheduling/scheduler.go',
    'aws/karpenter-provider-aws pkg/errors',
  ],
});
