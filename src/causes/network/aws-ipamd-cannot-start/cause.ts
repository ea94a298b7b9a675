import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const LOGS = ['container-log', 'host-state', 'prose'] as const;

const noRights = line(
  [
    'ec2:DescribeNetworkInterfaces',
    'EC2: DescribeNetworkInterfaces',
    'EC2: CreateNetworkInterface',
    'EC2: AssignPrivateIpAddresses',
    'failed to retrieve attached ENIs info',
    'Failed to create ENI',
    'unable to describe network interface',
  ],
  LOGS,
  /(?:(?:ec2:|EC2: )(?<call>DescribeNetworkInterfaces|CreateNetworkInterface|AssignPrivateIpAddresses)|failed to retrieve attached ENIs info|[Ff]ailed to create ENI|unable to describe network interface)[\s\S]{0,500}?(?<error>UnauthorizedOperation|AccessDenied|NoCredentialProviders|get credentials|not authorized to perform|WebIdentityErr|InvalidIdentityToken|AssumeRoleWithWebIdentity|ExpiredToken|no EC2 IMDS role found)/,
);
const exits = line(
  ['Failed to wait for IPAM daemon to complete'],
  LOGS,
  /Failed to wait for IPAM daemon to complete[\\"]{0,4}(?: error=[\\"]{0,4}(?<error>[^\n"\\]{3,80}))?/,
);
const initialisation = line(
  ['Initialization failure'],
  LOGS,
  /Initialization failure: (?:ipamd|ipamd init|failed to)[^\n"]{0,200}?(?<error>(?:[A-Z]\w{2,60}\.\w{2,40}: )?[^\n":]{3,160})(?=\\n|\n|"|$)/,
);
const waits = line(['Retrying waiting for IPAM-D', 'waiting for IPAM-D'], LOGS, /[Ww]aiting for IPAM-D/);
const port = line(
  'failed to connect service',
  ['pod-events', 'kubelet-log'],
  /failed to connect service [\\"“”]{0,8}:50051[\\"“”]{0,8} within/,
);
const noApi = line(
  ['Unable to reach API Server', 'Failed to communicate with K8S Server', 'failed to communicate with K8S Server'],
  LOGS,
  /Unable to reach API Server[^\n]{0,200}|[Ff]ailed to communicate with K8S Server[^\n]{0,200}/,
);
// No channel: who serves has started.
const up = line(['Serving RPC Handler on'], []);

export const cause = defineCause({
  id: 'aws-ipamd-cannot-start',
  area: 'network',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'other-trouble'],
  effectOf: ['kube-proxy-down-or-mode-unsupported'],

  text: {
    name: 'AWS IPAM daemon does not start',
    title: 'The address daemon ipamd of aws-node (AWS VPC CNI) does not come up: {what}',
    why: 'aws-node runs ipamd, which asks EC2 for network interfaces (ENIs) and addresses and then serves the CNI plugin on port 50051. {mechanism} Until it serves, aws-node is restarted by its probes, the node has no pod network, and pods stay in ContainerCreating.',
  },

  clues: {
    noRights: proves(noRights),
    exits: proves(exits),
    initialisation: proves(initialisation),
    noApi: proves(noApi),
    waitsLong: proves(waits, ({ count }) => count >= 3),
    waits: supports(waits),
    port: supports(port),
    up: excludes(up),
  },
  says: {
    noRights: 'EC2 turns the daemon away: {error}',
    exits: 'ipamd ends by itself right after its start',
    initialisation: 'ipamd fails to initialise: {error}',
    noApi: 'ipamd does not reach the API server of the cluster',
    waitsLong: 'again and again aws-node waits in vain for ipamd',
    waits: 'aws-node waits in vain for ipamd',
    port: 'its probes find nobody on port 50051',
    up: 'ipamd serves',
  },
  slots: (place, { noRights: refused, exits: ended, initialisation: initial, noApi: api }) => {
    const error = refused?.fields['error'] ?? initial?.fields['error']?.trim() ?? ended?.fields['error'] ?? 'no answer';
    return {
      workload: place.kind === 'Workload' && place.name !== '?' ? place.name : 'aws-node',
      error: refused?.fields['call'] ? `${refused.fields['call']}, ${error}` : error,
      what: refused
        ? `it may not call EC2 (${refused.fields['call'] ?? 'network interfaces'}: ${error})`
        : api
          ? 'it does not reach the API server'
          : initial
            ? `it cannot initialise its network interfaces (${error})`
            : 'it cannot call EC2 or the API server (IAM role, credentials or network)',
      mechanism: refused
        ? 'Its role lacks AmazonEKS_CNI_Policy, or the role annotation, the trust policy or the Pod Identity agent of its service account is wrong.'
        : initial?.fields['error']?.includes('does not exist')
          ? 'The instance metadata still names a network interface (ENI) that is gone; it comes right by itself after some minutes, or with a new node.'
          : api
            ? 'Here it does not reach the API server by its Service address: kube-proxy, a security group or a route is missing.'
            : 'Most often its IAM role lacks AmazonEKS_CNI_Policy, the role ARN or trust policy of its service account is wrong, or the EC2, STS and API endpoints cannot be reached from the subnet; rules that another network add-on left behind do it too.',
    };
  },

  fixes: [
    {
      say: 'Read the log of ipamd on the node: it names the call that fails',
      risk: 'reads-only',
      steps: [
        { say: 'its own log is a file', run: 'tail -n 60 /var/log/aws-routed-eni/ipamd.log', on: 'node' },
        {
          say: 'which role it uses',
          run: 'kubectl -n kube-system get serviceaccount aws-node -o yaml | grep role-arn; kubectl -n kube-system get pods -l k8s-app=aws-node -o wide; kubectl -n kube-system get pods -l k8s-app=kube-proxy -o wide',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Give {workload} the rights it needs',
      risk: 'restarts-pods',
      for: ['noRights'],
      steps: [
        {
          say: 'attach the policy to the role of the service account (or of the nodes)',
          run: 'aws iam attach-role-policy --role-name ROLE --policy-arn arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy',
        },
        {
          say: 'the trust policy must name the OIDC provider of this cluster and system:serviceaccount:kube-system:aws-node; for IPv6 clusters a policy of its own is needed',
        },
        { say: 'start it anew', run: 'kubectl -n kube-system rollout restart daemonset aws-node', on: 'cluster' },
      ],
      verified: 'aws-node is ready on every node and pods start',
    },
    {
      say: 'Make EC2, STS and the API server reachable from the nodes',
      risk: 'touches-node',
      for: ['noApi'],
      steps: [
        {
          say: 'private subnets need a NAT gateway, or VPC endpoints for ec2 and sts whose security group lets the nodes in',
          run: 'curl -sS -m 5 -o /dev/null -w "%{http_code}\\n" https://ec2.REGION.amazonaws.com; curl -sS -m 5 -o /dev/null -w "%{http_code}\\n" https://sts.REGION.amazonaws.com',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['aws/amazon-vpc-cni-k8s cmd/aws-vpc-cni, pkg/ipamd, docs/troubleshooting.md', 'aws/amazon-vpc-cni-k8s issues 1847, 2423'],
});
