import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const EVENTS = ['object-events', 'container-log', 'control-plane-log', 'pod-events'] as const;

const sync = line(
  ['Error syncing load balancer', 'Error creating load balancer', 'Error syncing to GCP', 'failed to ensure load balancer'],
  EVENTS,
  /(?:Error (?:syncing|creating) load balancer(?: \(will retry\))?|Error syncing to GCP|error processing service (?<service>[\w./-]{1,253}) \(will retry\)): (?:failed to ensure load balancer(?: for service [\w./-]{1,253})?: )?(?<error>[^\n]{3,600})/,
);
const model = line(
  ['Failed build model due to', 'Failed deploy model due to', 'Failed add finalizer due to'],
  EVENTS,
  /Failed (?:build model|deploy model|add finalizer) due to (?!ingress: [\w./-]{1,253}: Service [^\n]{1,200} not found)(?<error>[^\n]{3,600})/,
);
const reconciler = line(
  [
    'failed to build LoadBalancer configuration',
    "couldn't auto-discover subnets",
    'failed to reconcile LB managed',
    'failed to get AWS cloud',
    'expected exactly one securityGroup',
    'At least two subnets in two different',
    'unable to resolve at least one subnet',
  ],
  EVENTS,
  /(?:failed to build LoadBalancer configuration due to |failed to reconcile LB managed SecurityGroup: |(?=couldn't auto-discover subnets|unable to resolve at least one subnet|expected exactly one securityGroup|(?:ValidationError: )?At least two subnets in two different))(?<error>[^\n]{3,600})/,
);
const pool = line(
  ['Failed to allocate IP for', 'no available IPs', 'AllocationFailed'],
  EVENTS,
  /(?:Failed to allocate IP for [\\"“”]{1,8}(?<service>[\w./-]{1,253})[\\"“”]{1,8}: |AllocationFailed[^\n]{0,80}?)(?<error>[^\n]{3,200})/,
);
/** MetalLB then goes on with the configuration it had before, or with none. */
const config = line(
  ['parsing address pool', 'overlaps with already defined CIDR'],
  'container-log',
  /(?<error>parsing address pool [^\n]{3,200}|CIDR [^\n]{3,80}? overlaps with already defined CIDR [^\n]{3,60})/,
);
/** A row of `kubectl get services` that was pasted without its head. */
const row = line(
  ['<pending>', 'AddressNotAssigned'],
  ['objects', 'host-tools', 'prose'],
  /^\s{0,8}(?:service\/)?(?<service>[\w.-]{1,253}(?:\s{1,40}[\w.-]{1,253})?)\s{1,60}LoadBalancer\s{1,40}[\d.:a-f]{3,45}\s{1,40}<pending>\s{1,40}\S{3,200}(?:\s{1,40}(?!\d{1,2}s\b)\S|\s{0,40}$)|EXTERNAL-IP[^\n]{0,40}?<pending>|AddressNotAssigned/,
);
const made = excludes('object.event', ({ reason }) =>
  /^(?:EnsuredLoadBalancer|IPAllocated|SuccessfullyReconciled|nodeAssigned)$/.test(reason),
);

function isPending({ about, status, ageSeconds }: Fact<'object.status'>): boolean {
  return (ageSeconds ?? 600) >= 120 && about.startsWith('Object/Service/') && /^<?pending>?$/.test(status);
}

interface Fault {
  readonly pattern: RegExp;
  readonly says: string;
  readonly fix: string;
}

/** What clouds answer, in plain words and with what helps. */
const FAULTS: readonly Fault[] = [
  {
    pattern: /Invalid\w{3,20}(?:ID)?\.NotFound|does not exist/,
    says: 'an id in its annotations (subnet, security group, certificate) does not exist in this account and region',
    fix: 'correct the id in the annotation, or remove the annotation',
  },
  {
    pattern:
      /UnauthorizedOperation|AccessDenied|NoCredentialProviders|WebIdentityErr|not authorized to perform|AuthorizationFailed|does not have permission to perform action/,
    says: 'the controller lacks rights or credentials in the cloud (access denied)',
    fix: 'give the identity of the controller the rights it names (IAM policy; role annotation and trust policy of its service account)',
  },
  {
    pattern: /floating ?ip|ExternalGatewayForFloatingIPNotFound/i,
    says: 'OpenStack cannot give it a floating IP: the external network is not reachable from the subnet of the load balancer (no router between them), is another one, or has no free address',
    fix: 'set floating-network-id (cloud.conf, or the annotation loadbalancer.openstack.org/floating-network-id) to the network the router of the subnet leads to',
  },
  {
    pattern: /neither \S{3,120} nor \S{3,120} set/,
    says: 'an annotation that says where the load balancer shall be made is not set (location or network zone)',
    fix: 'set one of the annotations that the message names on the Service',
  },
  {
    pattern: /parsing address pool|already defined CIDR/,
    says: 'MetalLB does not load its configuration: an address pool is invalid or overlaps another',
    fix: 'correct the addresses of the pool it names; pools must not overlap, and ranges are written FIRST-LAST or as a CIDR',
  },
  {
    pattern:
      /not within the range of subnet|[Rr]equested IP|Address with IP|loadBalancerIP|IP\w{0,12} [^\n]{0,80}(?:already in use|in use by|is not available)|(?:PublicIP|public IP)[^\n]{0,120}(?:not found|InUse|in use)/,
    says: 'the address it asks for (loadBalancerIP) does not exist, is taken, or lies outside of the subnet',
    fix: 'reserve that address in the region, resource group and subnet of the cluster, or remove spec.loadBalancerIP',
  },
  {
    pattern: /subnet/i,
    says: 'it finds no suitable subnet (subnets carry no tag kubernetes.io/role/elb or kubernetes.io/role/internal-elb)',
    fix: 'tag the subnets: kubernetes.io/role/elb=1 on public ones, kubernetes.io/role/internal-elb=1 on private ones, in at least two zones',
  },
  {
    pattern: /quota|limit ?exceeded|TooMany|exceeded|LimitReached|over limit/i,
    says: 'a quota or limit of the cloud account is used up',
    fix: 'raise the quota named in the message, or delete load balancers and addresses that nobody uses',
  },
  {
    pattern:
      /AccessDenied|not authorized|UnauthorizedOperation|AuthorizationFailed|does not have authorization|forbidden|403|InvalidIdentityToken|NoCredentialProviders|credential/i,
    says: 'the controller lacks rights or credentials in the cloud (access denied)',
    fix: 'give the identity of the controller the rights it names (IAM policy, role assignment)',
  },
  {
    pattern: /no available IPs|pool|not in any|no address/i,
    says: 'the address pool has no free address for it',
    fix: 'add addresses to the pool (MetalLB: IPAddressPool with autoAssign, plus an L2Advertisement or BGPAdvertisement)',
  },
  {
    pattern: /security ?group/i,
    says: 'a security group is missing or tagged twice',
    fix: 'exactly one security group of the nodes may carry the cluster tag',
  },
  {
    pattern: /no such host|server misbehaving/i,
    says: 'the controller cannot resolve the name of the cloud API it calls',
    fix: 'see whether the region it is given exists, and whether its pod resolves other names',
  },
  {
    pattern: /not found|could not find|no such/i,
    says: 'something it refers to does not exist',
    fix: 'correct the annotation or address that names it',
  },
];

export const cause = defineCause({
  id: 'load-balancer-pending',
  area: 'network',
  at: 'Object',
  maturity: 'stable',
  explains: ['other-trouble', 'not-ready'],
  effectOf: ['aws-region-invalid', 'cloud-controller-uninitialised', 'cloud-credentials-refused'],
  wakesOn: [on('object.status', { status: 'pending' })],

  text: {
    name: 'Load balancer is not created',
    title: 'No load balancer is made for {service}: {what}',
    why: 'A Service of type LoadBalancer (or an Ingress of a cloud class) gets its address from a controller of the cloud, or from MetalLB and the like on own machines. Here it stays without one (pending): {what}. {error}',
  },

  clues: {
    sync: proves(sync),
    model: proves(model),
    reconciler: proves(reconciler),
    pool: proves(pool),
    config: proves(config),
    pending: supports('object.status', isPending),
    row: supports(row),
    made,
  },
  says: {
    sync: 'the cloud controller cannot make the load balancer: {what}',
    model: 'the load balancer controller fails: {what}',
    reconciler: 'the load balancer controller fails: {what}',
    config: 'MetalLB refuses its configuration: {what}',
    pool: 'no address could be allocated: {what}',
    pending: 'the Service has no external address (pending)',
    row: 'the row of the Service shows no external address (pending)',
    made: 'the load balancer was made',
  },
  slots: (place, { sync: cloud, model: built, reconciler, pool: addresses, config: refused, row: shown }) => {
    const error = (
      cloud?.fields['error'] ??
      built?.fields['error'] ??
      reconciler?.fields['error'] ??
      addresses?.fields['error'] ??
      refused?.fields['error']
    )?.trim();
    const fault = error === undefined ? undefined : FAULTS.find(({ pattern }) => pattern.test(error));
    const named = cloud?.fields['service'] ?? addresses?.fields['service'] ?? shown?.fields['service']?.replace(/\s{1,40}/, '/');
    const own =
      place.kind === 'Object' && place.name !== '?'
        ? `${place.type ?? 'Service'} ${place.namespace === undefined || place.namespace === '?' ? '' : `${place.namespace}/`}${place.name}`
        : 'the Service';
    return {
      service: named ? `Service ${named}` : own,
      name: named?.replace(/^.*\//, '') ?? (place.kind === 'Object' && place.name !== '?' ? place.name : 'NAME'),
      namespace: named?.includes('/')
        ? (named.split('/')[0] ?? 'NAMESPACE')
        : place.namespace === undefined || place.namespace === '?'
          ? 'NAMESPACE'
          : place.namespace,
      what: fault?.says ?? (error ? error.slice(0, 160) : 'no controller answers for type LoadBalancer in this cluster'),
      error: error ? `It says: ${error.slice(0, 300)}` : 'Bare clusters have no such controller: kubeadm, minikube and kind bring none.',
      help: fault?.fix ?? 'read the message: it names what is missing in the cloud or in the annotations',
    };
  },

  fixes: [
    {
      say: 'See what the controller says, and whether there is one',
      risk: 'reads-only',
      steps: [
        { say: 'events of the Service or Ingress', run: 'kubectl -n {{namespace}} describe service {{name}}', on: 'cluster' },
        {
          say: 'controllers that may answer for it',
          run: 'kubectl get pods -A | grep -Ei "cloud-controller|load-balancer|metallb|kube-vip|ccm|svclb"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Remove what stands in the way: {help}',
      risk: 'reads-only',
      steps: [
        {
          say: 'AWS: tag subnets',
          run: 'aws ec2 create-tags --resources SUBNET-ID --tags Key=kubernetes.io/role/elb,Value=1',
          on: 'cluster',
        },
        {
          say: 'the controller tries again by itself within minutes',
          run: 'kubectl -n {{namespace}} get service {{name}} -w',
          on: 'cluster',
        },
      ],
      verified: 'EXTERNAL-IP shows an address',
    },
    {
      say: 'Without a cloud: install a load balancer such as MetalLB, or use NodePort or an Ingress',
      risk: 'reads-only',
      steps: [
        {
          say: 'MetalLB, then an IPAddressPool and an L2Advertisement with free addresses of your network',
          run: 'helm repo add metallb https://metallb.github.io/metallb && helm install metallb metallb/metallb -n metallb-system --create-namespace',
          on: 'cluster',
        },
        { say: 'minikube', run: 'minikube tunnel', on: 'cluster' },
        {
          say: 'or a port on every node',
          run: 'kubectl -n {{namespace}} patch service {{name}} -p \'{"spec":{"type":"NodePort"}}\'',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes staging/src/k8s.io/cloud-provider/controllers/service',
    'kubernetes-sigs/aws-load-balancer-controller',
    'metallb/metallb controller/service.go',
  ],
});
