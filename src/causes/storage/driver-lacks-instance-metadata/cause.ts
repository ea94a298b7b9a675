import { byContainers, defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

/** A driver asks the metadata service of the cloud which machine, zone and region it runs in, and ends without an answer. */
const noAnswer = line(
  [
    'could not get metadata from AWS',
    'could not get metadata from OSC',
    'EC2 instance metadata is not available',
    'error getting instance data from ec2 metadata or kubernetes api',
    'Could not determine region from any metadata service',
    'are you running outside of a DigitalOcean droplet',
    'from metadata service',
    'meta_data.json',
    'unable to retrieve instanceID',
    'Failed to get instance from metadata',
    'metadata.google.internal',
  ],
  'container-log',
  /(?<error>could not get metadata from (?:AWS|OSC)[^\n]{0,120}|EC2 instance metadata is not available|error getting instance data from ec2 metadata or kubernetes api|Could not determine region from any metadata service|couldn't get metadata: [^\n]{0,160}are you running outside of a DigitalOcean droplet|failed to (?:fetch|get) (?:server|instance) id from metadata service[^\n]{0,120}|(?:error fetching|failed to fetch) \S{0,60}\/openstack\/\S{1,60}meta_data\.json[^\n]{0,120}|unable to retrieve instanceID[^\n]{0,120}|Failed to get instance from metadata[^\n]{0,120}|Failed to (?:get|set up) [^\n]{0,80}metadata\.google\.internal[^\n]{0,120})/i,
);
/** Then it asks the Node object instead, where the cloud controller manager writes the id of the machine. */
const noProviderId = line(
  ['node providerID empty, cannot parse', 'did not find aws instance ID in node providerID', 'providerID is empty', 'ProviderID not set'],
  'container-log',
  /(?<error>node providerID empty, cannot parse|did not find aws instance ID in node providerID string|(?:node|spec)[^\n]{0,60}providerID is empty|ProviderID not set[^\n]{0,60})/,
);
const unreachable = line(
  ['ec2 metadata is not available', 'failed to retrieve instance data from ec2 metadata', 'operation error ec2imds'],
  'container-log',
);
/** Then the driver would have asked the Node, and did not get as far as that. */
const apiSilent = line(
  'error getting Node',
  [],
  /error getting Node \S{1,253}: Get [\\"]{0,4}https:[^\n]{1,400}(?:timeout|refused|no route)/,
);
const isKnown = line(['regionFromMetadata', 'Retrieved metadata from IMDS'], []);

export const cause = defineCause({
  id: 'driver-lacks-instance-metadata',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'other-trouble'],

  text: {
    name: 'Driver does not know its machine',
    title: '{workload} ends: {what}',
    why: 'A driver of a cloud must know in which machine, zone and region it runs. It asks the metadata service of the machine (169.254.169.254), and some then look at the providerID of their Node. {detail} So the pod of the driver ends at every start, and volumes are neither made, attached nor mounted there.',
  },

  clues: {
    noAnswer: proves(noAnswer, byContainers),
    noProviderId: proves(noProviderId, byContainers),
    unreachable: supports(unreachable, byContainers),
    isKnown: excludes(isKnown),
    apiSilent: excludes(apiSilent),
  },
  says: {
    noAnswer: 'it gets no instance metadata: {error}',
    noProviderId: 'the Node has no providerID, or none of this cloud: {error}',
    unreachable: 'the metadata service does not answer it',
    isKnown: 'it has got the metadata since',
    apiSilent: 'it does not reach the API server, which would have told it',
  },
  slots: (place, { noAnswer: silent, noProviderId: unnamed }) => {
    const error = ((unnamed ?? silent)?.fields['error'] ?? 'no answer').replace(/\s+/g, ' ').trim().slice(0, 160);
    return {
      ...namesOf(place),
      workload: place.name,
      error,
      what: unnamed
        ? 'the instance metadata does not answer it, and its Node has no providerID of this cloud'
        : `the instance metadata service does not answer it (${error})`,
      detail: unnamed
        ? 'Neither answers here: pods do not reach the metadata service (IMDSv2 with a hop limit of 1, a firewall, or the machine is not one of that cloud), and nobody wrote a providerID: the cluster runs without the cloud controller manager (kubelets without --cloud-provider=external), or the machine is of another cloud.'
        : 'It does not answer here: IMDSv2 is required with a hop limit of 1, so that its token does not reach pods behind their own network; a network policy or firewall keeps pods from the address; the service is switched off; or the machine is not one of that cloud.',
    };
  },

  fixes: [
    {
      say: 'See what the node knows of its machine, and whether a pod reaches the metadata service',
      risk: 'reads-only',
      steps: [
        {
          say: 'providerID of the nodes',
          run: 'kubectl get nodes -o custom-columns=NAME:.metadata.name,PROVIDER:.spec.providerID',
          on: 'cluster',
        },
        {
          say: 'from the node itself: an answer here (200 or 401) and none in pods means the hop limit, a policy or a firewall',
          run: 'curl -m 5 -s -o /dev/null -w "%{http_code}" http://169.254.169.254/latest/meta-data/',
          on: 'node',
        },
        {
          say: 'AWS: hop limit and whether a token is required',
          run: 'aws ec2 describe-instances --query "Reservations[].Instances[].[InstanceId,MetadataOptions]" --output json',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Let pods reach it: a hop limit of 2, or the driver in the network of the host (hostNetwork: true)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'for each machine, and in the launch template of the node group',
          run: 'aws ec2 modify-instance-metadata-options --instance-id INSTANCE --http-put-response-hop-limit 2 --http-endpoint enabled',
          on: 'cluster',
        },
        { say: 'then start the driver anew', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' },
      ],
      verified: 'the pods of the driver are Running and stay so',
    },
    {
      say: 'Or do without it: install the cloud controller manager (it writes providerID; kubelets with --cloud-provider=external), and give the driver its region (AWS_REGION)',
      risk: 'restarts-pods',
      steps: [{ say: 'whether one runs', run: 'kubectl get pods -A | grep -iE "cloud-controller|ccm"', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes-sigs/aws-ebs-csi-driver pkg/cloud/metadata; kubernetes-sigs/aws-efs-csi-driver pkg/cloud/cloud.go',
    'digitalocean/csi-digitalocean driver/driver.go; hetznercloud/csi-driver cmd/node; cloud-provider-openstack pkg/util/metadata',
  ],
});
