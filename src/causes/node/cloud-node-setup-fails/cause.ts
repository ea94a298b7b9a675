import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['objects', 'object-events', 'system-log', 'host-tools', 'prose', 'container-log'] as const;
/** AKS: the script that makes a node of the machine ends with a number for each fault. */
const script = line(
  'command terminated with exit status=',
  SAID_BY,
  /(?:vmssCSE|cse-agent|CustomScript)[\s\S]{0,400}?terminated with exit status=(?<status>\d{1,3})\b|^[^\n]{0,120}?Enable failed: failed to execute command: command terminated with exit status=(?<alone>\d{1,3})\b/,
);
const named = line(
  ['VMExtensionError', 'Unable to establish outbound connection from agents', 'unable to resolve Kubernetes API server name'],
  SAID_BY,
  /(?<outbound>OutboundConnFail(?:VMExtensionError)?|VMExtensionError_OutboundConnFail|Unable to establish outbound connection from agents)|(?<dns>K8SAPIServerDNSLookupFail(?:VMExtensionError)?|unable to resolve Kubernetes API server name)|(?<api>K8SAPIServerConnFail(?:VMExtensionError)?)|(?<kubelet>KubeletStartFail(?:VMExtensionError)?)/i,
);
/** GKE counts the machines that came up and the nodes that registered. */
const counted = line(
  ['have registered; this is likely due to Nodes failing to start'],
  SAID_BY,
  /only (?<came>\d{1,5}) nodes out of (?<wanted>\d{1,5}) have registered/,
);
/** EKS: what sets up the node asks EC2, STS or EKS first, and gets no answer. */
const noAnswer = line(
  ['amazonaws.com'],
  ['system-log', 'host-tools', 'kubelet-log'],
  // Controllers in pods use the same library; they name their object or their request.
  /(?:nodeadm|bootstrap\.sh|cloud-init|could not init cloud provider|^(?![\s\S]{0,2000}?(?:[Rr]econcil|controller|rpc error|\bcsi\b|driver|operator))[\s\S]{0,400}?operation error (?:EC2|EKS|STS|ECR))[\s\S]{0,600}?(?:https:\/\/(?<service>(?:ec2|eks|sts|api\.ecr)\.[\w.-]{4,80}))[\s\S]{0,200}?(?<error>i\/o timeout|context deadline exceeded|no such host|connection refused|Connect timeout|Could not connect)|(?<late>Connect timeout on|Could not connect to the) endpoint URL: "https:\/\/(?<endpoint>(?:ec2|eks|sts)\.[\w.-]{4,80})/,
);
/** EKS waits a while for the machines of a managed group to become nodes, and tells only that. */
const strangers = line(
  ['NodeCreationFailure', 'Instances failed to join the kubernetes cluster', 'Unhealthy nodes in the kubernetes cluster'],
  SAID_BY,
  /(?<unhealthy>Unhealthy nodes in the kubernetes cluster)|NodeCreationFailure|[Ii]nstances failed to join the kubernetes cluster/,
);
/** What the machine asks about itself, at 169.254.169.254, and what it asks about its cluster. */
const itself = line(
  ['EC2MetadataRequestError', 'instance identity document', 'No cluster found for name', 'ec2imds: GetMetadata', 'operation error ec2imds'],
  ['system-log', 'host-tools', 'kubelet-log', 'container-log'],
  /(?:nodeadm|bootstrap\.sh|[Kk]ubelet|cloud provider|Command failed)[^\n]{0,400}?No cluster found for name: (?<cluster>[\w-]{1,100})|(?<imds>(?:failed to get (?:EC2 )?instance identity document|EC2MetadataRequestError|operation error ec2imds)[^\n"\\]{0,160})/,
);
/** EKS machine images fetch the pause image in a unit of its own, without which the kubelet is not started. */
const pauseUnit = line(
  ['pull sandbox image defined in containerd config'],
  ['system-log', 'unit-state'],
  /Failed to start (?:sandbox-image\.service - )?pull sandbox image defined in containerd config/,
);
const denied = line(['is not authorized to perform', 'AccessDenied', 'UnauthorizedOperation'], []);
const joined = line(['Successfully registered node', 'Node ready and registered'], []);

export const cause = defineCause({
  id: 'cloud-node-setup-fails',
  area: 'node',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['node-not-ready', 'kubelet-down', 'pending', 'other-trouble'],

  text: {
    name: 'New cloud machine does not join',
    title: 'A new machine of the cloud does not become a node: {what}',
    why: 'Before the kubelet of a new machine runs, a script of the cloud sets it up: it fetches programs and images, and looks up the API server. Here {what}. {hint}',
  },

  clues: {
    script: proves(script, ({ fields }) => !UNCLEAR.has(fields['status'] ?? fields['alone'] ?? '')),
    named: proves(named),
    noAnswer: proves(noAnswer),
    pauseUnit: proves(pauseUnit),
    unclear: supports(script),
    counted: supports(counted),
    strangers: supports(strangers),
    itself: supports(itself),
    denied: excludes(denied),
    joined: excludes(joined),
  },
  says: {
    script: 'the script that sets up the machine (AKS) ends with status {status}',
    named: 'Azure names the fault: {what}',
    noAnswer: '{service} is asked for the machine or the cluster, and there is no answer: {error}',
    unclear: 'the script that sets up the machine (AKS) ends with status {status}',
    pauseUnit: 'the unit sandbox-image of the machine failed, and the kubelet waits for it',
    counted: '{came} of {wanted} machines have registered as nodes',
    itself: 'the machine does not learn who it is or where its cluster is: {asked}',
    strangers: 'EKS waited in vain for the machines of the group to join (NodeCreationFailure)',
    denied: 'the cloud answers and refuses: a permission is missing',
    joined: 'the machine has registered',
  },
  slots: (
    _place,
    { script: ended, unclear, named: code, counted: some, noAnswer: silent, strangers: eks, itself: self, pauseUnit: pause },
  ) => {
    const status = (ended ?? unclear)?.fields['status'] ?? (ended ?? unclear)?.fields['alone'] ?? '';
    const service = silent?.fields['service'] ?? silent?.fields['endpoint'] ?? 'the API of the cloud';
    const fault = code
      ? faultOf(code.fields)
      : silent
        ? 'cloud'
        : pause
          ? 'pause'
          : (FAULT_OF_STATUS.get(status) ??
            (self
              ? self.fields['cluster']
                ? 'cluster'
                : 'imds'
              : eks
                ? eks.fields['unhealthy']
                  ? 'unready'
                  : 'eks'
                : some
                  ? 'registration'
                  : 'script'));
    const error = silent?.fields['error'] ?? (silent ? 'connect timeout' : '');
    return {
      status,
      service,
      error,
      asked: self?.fields['cluster'] ? `no cluster ${self.fields['cluster']}` : 'the metadata service does not answer',
      came: some?.fields['came'] ?? '0',
      wanted: some?.fields['wanted'] ?? 'the',
      what:
        fault === 'cloud'
          ? `it cannot reach ${service} (${error})`
          : `${WORDS[fault]}${status && (ended ?? unclear) ? ` (AKS, exit status ${status})` : ''}`,
      hint: HINTS[fault],
    };
  },

  fixes: [
    {
      say: 'See what the script says on the machine itself',
      risk: 'reads-only',
      steps: [
        {
          say: 'AKS',
          run: 'tail -50 /var/log/azure/cluster-provision.log; grep -n "exit" /var/log/azure/aks/provision.json',
          on: 'node',
        },
        {
          say: 'EKS and others',
          run: 'journalctl -u nodeadm-config -u nodeadm-run -u kubelet -b --no-pager | tail -50; tail -50 /var/log/cloud-init-output.log',
          on: 'node',
        },
        { say: 'GKE: the serial log of the machine', run: 'gcloud compute instances get-serial-port-output NODE --zone ZONE | tail -80' },
        {
          say: 'can it get out, and does it know the name of the API server',
          run: 'curl -sSm 5 -o /dev/null -w "%{http_code}\\n" https://mcr.microsoft.com/v2/; getent hosts "$(grep -hoE "https://[^:/]+" /var/lib/kubelet/kubeconfig /var/lib/kubelet/bootstrap-kubeconfig 2>/dev/null | head -1 | cut -c9-)"',
          on: 'node',
        },
      ],
    },
    {
      say: 'EKS: let the role of the nodes in, and see what EKS itself finds wrong',
      risk: 'reads-only',
      for: ['strangers'],
      steps: [
        {
          say: 'what EKS says of the group',
          run: 'aws eks describe-nodegroup --cluster-name CLUSTER --nodegroup-name GROUP --query "nodegroup.[status,health,nodeRole,subnets]"',
        },
        {
          say: 'the role must stand here (or among the access entries)',
          run: 'kubectl -n kube-system get configmap aws-auth -o yaml; aws eks list-access-entries --cluster-name CLUSTER',
          on: 'cluster',
        },
        {
          say: 'a check of all known conditions for one machine',
          run: 'aws ssm start-automation-execution --document-name AWSSupport-TroubleshootEKSWorkerNode --parameters "ClusterName=CLUSTER,WorkerID=i-INSTANCE"',
        },
      ],
    },
    {
      say: 'Open the way out: NSG, firewall and route table of the subnet must let nodes reach the API server (443) and the registries of the cloud; a private subnet needs NAT or private endpoints',
      risk: 'moves-pods',
      steps: [
        {
          say: 'AKS: rules and routes in force at the machine',
          run: 'az network nic list-effective-nsg --ids NIC -o table; az network nic show-effective-route-table --ids NIC -o table',
        },
        {
          say: 'EKS: a subnet without internet needs VPC endpoints for ec2, sts, eks, ecr.api, ecr.dkr and s3, and their security group must let the nodes in on 443',
          run: 'aws ec2 describe-vpc-endpoints --query "VpcEndpoints[].[ServiceName,State]" --output table',
        },
      ],
      verified: 'a machine made anew becomes Ready in kubectl get nodes',
    },
    {
      say: 'EKS, pause image not fetched: try again on the machine, or replace it',
      risk: 'touches-node',
      steps: [
        {
          say: 'does the machine have its role',
          run: 'aws sts get-caller-identity; journalctl -u sandbox-image --no-pager | tail -20',
          on: 'node',
        },
        { say: 'once more', run: 'systemctl restart sandbox-image && systemctl start kubelet', on: 'node' },
      ],
      verified: 'the machine becomes Ready',
    },
    {
      say: 'Name not resolved: let the custom DNS server forward to the resolver of the cloud (168.63.129.16 on Azure), and link the private DNS zone of the cluster to the network of that server',
      risk: 'reads-only',
      steps: [{ say: 'ask from the machine', run: 'resolvectl status | grep -A3 "DNS Servers"; nslookup API-SERVER-NAME', on: 'node' }],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'Azure/AgentBaker parts/linux/cloud-init/artifacts/cse_helpers.sh (exit codes)',
    'awslabs/amazon-eks-ami nodeadm',
    'Google Cloud: troubleshooting node registration',
  ],
});

type Fault =
  | 'outbound'
  | 'dns'
  | 'api'
  | 'kubelet'
  | 'download'
  | 'gpu'
  | 'registration'
  | 'script'
  | 'cloud'
  | 'eks'
  | 'unready'
  | 'imds'
  | 'pause'
  | 'cluster';

/** Numbers of the script that name a fault of the surroundings; others are named as they are. */
const FAULT_OF_STATUS: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['50', 'outbound'],
  ['51', 'api'],
  ['52', 'dns'],
  ['53', 'dns'],
  ['31', 'download'],
  ['33', 'download'],
  ['41', 'download'],
  ['98', 'download'],
  ['99', 'download'],
  ['34', 'kubelet'],
  ['84', 'gpu'],
  ['85', 'gpu'],
]);
/** 1, 100 and 124 only tell that the time was up or that something failed. */
const UNCLEAR: ReadonlySet<string> = new Set(['', '1', '2', '100', '124']);

const WORDS: Readonly<Record<Fault, string>> = {
  outbound: 'it has no way out to the internet: outbound traffic is blocked (NSG, firewall, route table)',
  dns: 'it cannot resolve the name of the API server (custom DNS, private DNS zone)',
  api: 'it cannot connect to the API server (firewall, NSG or route between them)',
  kubelet: 'its kubelet does not start',
  download: 'it cannot download packages, programs or images in time (outbound traffic is blocked or slow: NSG, firewall, proxy)',
  gpu: 'the GPU driver cannot be installed or started',
  registration: 'machines start, but do not register with the API server in time',
  imds: 'the metadata service of the machine (169.254.169.254) does not answer it',
  pause:
    'its sandbox (pause) image could not be fetched when it booted: no credentials from its IAM role yet, or no way to the registry (ECR)',
  cluster: 'EKS knows no cluster of the name in the user data of the machine',
  eks: 'EKS started machines, but they failed to join the cluster (NodeCreationFailure)',
  unready: 'EKS machines joined, but their nodes do not become healthy (NodeCreationFailure)',
  script: 'the script that sets it up fails',
  cloud: 'it cannot reach the API of the cloud',
};
const HINTS: Readonly<Record<Fault, string>> = {
  outbound:
    'Nodes must reach the registry mcr.microsoft.com and the API server on 443; tightened rules of the subnet or a firewall without the required addresses stop that.',
  dns: 'A private cluster has its name in a private DNS zone: the DNS server of the network must forward to the resolver of the cloud, and the zone be linked to its network.',
  api: 'Rules between the subnet of the nodes and the API server, or authorized address ranges that leave out the address the nodes come from.',
  kubelet: 'The log of the kubelet on that machine tells why.',
  download: 'The addresses that AKS needs must be open, also through a proxy.',
  gpu: 'See whether size, driver and image of the machine fit each other.',
  registration:
    'Mostly the subnet has no way to the API server or to the registries, or the service account of the nodes was deleted or lacks its role.',
  imds: 'IMDSv2 with a hop limit of 1 does not reach containers (raise it to 2), the metadata service is switched off, or a proxy or firewall rule takes that address (NO_PROXY).',
  pause:
    'The unit sandbox-image runs once; when the role of the instance is not there yet (eventual consistency), has no right to pull from ECR, or the way to ECR is closed, the kubelet is never started on that machine. Start the unit and the kubelet again, or let the machine be replaced; newer machine images bring the pause image along.',
  cluster: 'Name, region and account in the user data or launch template must be those of the cluster.',
  eks: 'Most often: the IAM role of the nodes is not in aws-auth or an access entry; a private subnet without NAT or VPC endpoints (ec2, sts, eks, ecr.api, ecr.dkr, s3), or a public one that gives no public address; a security group that cuts nodes off from the API endpoint; a launch template whose user data or image does not run the bootstrap of EKS; DNS support switched off in the VPC.',
  unready:
    'Most often the network plugin does not start there (aws-node lacks its rights or addresses, or is not installed): look at kubectl describe node and the pods of kube-system.',
  script: 'Its log on the machine names the step.',
  cloud:
    'A machine in a private subnet needs NAT or endpoints (PrivateLink) for the services of the cloud, whose security group lets it in.',
};

function faultOf(fields: Readonly<Record<string, string>>): Fault {
  if (fields['dns']) return 'dns';
  if (fields['api']) return 'api';
  return fields['kubelet'] ? 'kubelet' : 'outbound';
}
