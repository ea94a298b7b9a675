import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['container-log', 'control-plane-log', 'pod-events', 'object-events'] as const;

const none = line(
  [
    'NoCredentialProviders',
    'no EC2 IMDS role found',
    'failed to refresh cached credentials',
    'no EC2 instance role found',
    'could not find default credentials',
    'default credentials were not found',
    'DefaultAzureCredential',
    'failed to acquire a token',
    'Unable to locate credentials',
    'get credentials: failed to',
    'No signing credentials',
    'IAM role must be associated with service account',
  ],
  SAID_BY,
  /(?<error>NoCredentialProviders: [^\n]{3,120}|no EC2 (?:IMDS|instance) role found|failed to refresh cached credentials[^\n]{0,120}|could not find default credentials[^\n]{0,80}|default credentials were not found|DefaultAzureCredential[^\n]{0,40}(?:failed|authentication)[^\n]{0,120}|failed to acquire a token[^\n]{0,120}|Unable to locate credentials|No signing credentials (?:available|found)|IAM role must be associated with service account \S{1,253})/,
);
/** Pulls from a registry of the cloud and addresses for pods have causes of their own. */
const refused = line(
  [
    'UnauthorizedOperation',
    'is not authorized to perform',
    'AccessDeniedException',
    'api error AccessDenied',
    'AccessDenied: User: arn:',
    'AuthorizationFailed',
    'does not have authorization to perform action',
    'googleapi: Error 403',
    'Required permission',
    'NotAuthorizedOrNotFound',
    'Forbidden.RAM',
    'UnauthorizedOperation.CamNoAuth',
    'ServiceLinkedRoleCreationNotPermitted',
    'Forbidden: Access Denied',
    'due to missing permissions',
    'Failed to create S3 client',
  ],
  SAID_BY,
  /(?:(?:operation error (?<service>[\w ]{2,40}): (?<operation>\w{2,60})|(?<doing>(?:launching|creating|deleting|describing|attaching|detaching|updating|listing|getting) [\w -]{3,40}?))[,:]? (?:[^\n]{0,200}?api error )?)?(?<error>UnauthorizedOperation(?:[^\n:]{0,40}: [^\n]{3,160}?(?=\.? Encoded|\n|$)|(?=[\\"]{1,4}|$))|AccessDenied(?:Exception)?: (?![^\n]{0,300}(?:ecr:|NetworkInterface|AssignPrivateIp))(?=[^\n]{0,300}(?:not authorized|User: arn:|explicit deny|Access Denied|assume))[^\n]{3,200}|is not authorized to perform:? (?!ecr:|ec2:\w{1,20}NetworkInterface|ec2:AssignPrivateIp)[\w:*]{3,120}|Code=[\\"]{1,4}AuthorizationFailed[\\"]{1,4}[^\n]{0,200}|does not have authorization to perform action [^\n]{3,120}|googleapi: Error 403(?=\s*$)|googleapi: Error 403: (?![^\n]{0,200}(?:[Qq]uota|QUOTA|[Rr]ate.?[Ll]imit|RATE_LIMIT|[Bb]illing))[^\n]{3,160}|AuthFailure\.ServiceLinkedRoleCreationNotPermitted[^\n]{0,160}|Forbidden: Access [Dd]enied|NotAuthorizedOrNotFound[^\n]{0,120}|Forbidden\.RAM[^\n]{0,120}|failed to call [\w:]{3,80} due to missing permissions)/,
);
const identity = line(
  [
    'WebIdentityErr',
    'AssumeRoleWithWebIdentity',
    'InvalidIdentityToken',
    'AADSTS700',
    'AADSTS900',
    'AADSTS7000',
    'iam.serviceAccounts.getAccessToken',
    'Unable to generate access token',
  ],
  SAID_BY,
  /(?<error>WebIdentityErr: [^\n]{3,160}|Permission [\\'"]{1,4}iam\.serviceAccounts\.getAccessToken[\\'"]{1,4} denied|Unable to generate access token; IAM returned 403|Not authorized to perform sts:AssumeRoleWithWebIdentity|InvalidIdentityToken: [^\n]{3,160}|AADSTS\d{4,7}[^\n]{0,120})/,
);
/** Controllers ask the metadata service for more than credentials: region, VPC, identity of the instance. */
const metadata = line(
  ['from instance metadata', 'EC2MetadataError', 'ec2 metadata', 'from EC2 metadata', 'from instance identity document'],
  SAID_BY,
  /(?<error>failed to (?:fetch|get|introspect) [\w ]{2,40} from (?:instance metadata|EC2 ?[Mm]etadata|EC2Metadata)[^\n]{0,160}|EC2MetadataError: failed to make EC2Metadata request|unable to (?:get|fetch)[\w ]{2,40} from (?:EC2|instance) [Mm]etadata[^\n]{0,100})/,
);
const blocked = line(
  ['/latest/api/token', '/latest/meta-data', '/metadata/identity/oauth2/token', 'operation error ec2imds'],
  SAID_BY,
  /(?:\/latest\/(?:api\/token|meta-data)|\/metadata\/identity\/oauth2\/token)[^\n]{0,300}?(?:deadline exceeded|timeout|connection refused|no route to host|EOF|40[134]\b)|operation error ec2imds: \w{2,60},[^\n]{0,200}?(?:deadline exceeded|canceled|timeout|connection refused|no route to host)/,
);
const clock = line(
  ['RequestTimeTooSkewed', 'Signature not yet current', 'SignatureDoesNotMatch'],
  [],
  /RequestTimeTooSkewed|Signature not yet current|Signature expired/,
);

/** A new machine that fetches its own pause image: no workload is concerned yet. */
const machineSetup = line(['pull sandbox image defined in containerd config'], []);

export const cause = defineCause({
  id: 'cloud-credentials-refused',
  area: 'policy',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['volume-pending', 'pending', 'creating', 'crash-loop', 'restarts', 'not-ready', 'failed', 'other-trouble'],

  text: {
    name: 'Cloud refuses the credentials',
    title: 'The cloud does not let {workload} do its work: {what}',
    why: 'A driver or controller in the cluster acts on the cloud (disks, load balancers, addresses, DNS) with a role of the cloud: that of its ServiceAccount (IRSA, Workload Identity) or of the node it happens to run on. Here {what}, so the call fails and what waits for it stays as it is: volumes are not made or attached, load balancers and records not written. Kubernetes RBAC has no part in it.',
  },

  clues: {
    none: proves(none, ({ fields }) => !/AssumeRole|AADSTS|WebIdentity/.test(fields['error'] ?? '')),
    refused: proves(refused),
    metadata: proves(metadata),
    identity: proves(identity),
    blocked: supports(blocked),
    clock: excludes(clock),
    machineSetup: excludes(machineSetup),
  },
  says: {
    none: 'it finds no credentials at all: {error}',
    refused: 'the cloud answers that the role lacks the permission: {error}',
    identity: 'the cloud does not accept the ServiceAccount as that role: {error}',
    metadata: 'it gets nothing from the metadata service of the node: {error}',
    blocked: 'the metadata service of the node does not answer it',
    machineSetup: 'it is the set-up of a new machine that lacks credentials',
    clock: 'its clock is wrong: the cloud refuses the time of the signature',
  },
  slots: (place, { none: nothing, refused: no, identity: who, metadata: unread, blocked: shut }) => {
    const doing = no?.fields['operation'] ? `${no.fields['service']}: ${no.fields['operation']}` : no?.fields['doing'];
    const error = ((who ?? no ?? nothing ?? unread)?.fields['error'] ?? 'no answer').replace(/\s+/g, ' ').trim().slice(0, 180);
    return {
      ...namesOf(place),
      workload: place.name,
      error,
      what: who
        ? `its ServiceAccount may not take on the IAM role (${error})`
        : no
          ? `its IAM role lacks the permission${doing ? ` for ${doing}` : ''} (${error})`
          : (shut ?? unread)
            ? `the metadata service of the node (169.254.169.254), which hands out credentials, does not answer it: a hop limit of 1 keeps containers away, or a network policy or firewall does (${error})`
            : nothing
              ? `it finds no credentials: no IAM role for it, nor for the node (${error})`
              : 'it has no credentials',
    };
  },

  fixes: [
    {
      say: 'See which identity is used, and what it may do',
      risk: 'reads-only',
      steps: [
        {
          say: 'the role of the ServiceAccount: eks.amazonaws.com/role-arn, iam.gke.io/gcp-service-account, azure.workload.identity/client-id',
          run: 'kubectl -n {{namespace}} get serviceaccounts -o yaml | grep -E "name:|role-arn|gcp-service-account|client-id"',
          on: 'cluster',
        },
        {
          say: 'what was refused, from the log',
          run: 'kubectl -n {{namespace}} logs {{target}} --all-containers --tail=200 | grep -iE "authoriz|denied|credential|403"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Where the ServiceAccount is not accepted as the role: let the role trust exactly this ServiceAccount (trust policy, workloadIdentityUser, federated credential)',
      risk: 'reads-only',
      for: ['identity'],
      steps: [
        {
          say: 'AWS: the trust policy names the OIDC provider of this cluster, and the subject is system:serviceaccount:NAMESPACE:NAME; a * in it needs StringLike, not StringEquals',
          run: 'aws eks describe-cluster --name CLUSTER --query cluster.identity.oidc.issuer; aws iam list-open-id-connect-providers; aws iam get-role --role-name ROLE --query Role.AssumeRolePolicyDocument',
          on: 'cluster',
        },
        {
          say: 'Google: the member of roles/iam.workloadIdentityUser is PROJECT.svc.id.goog[NAMESPACE/NAME]',
          run: 'gcloud iam service-accounts get-iam-policy GSA@PROJECT.iam.gserviceaccount.com',
          on: 'cluster',
        },
        {
          say: 'Azure: issuer, subject and audience of the federated credential must be those of the token',
          run: 'az identity federated-credential list --identity-name IDENTITY --resource-group GROUP; az aks show -n NAME -g GROUP --query oidcIssuerProfile.issuerUrl',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Give the role the policy that the driver documents (for EBS: AmazonEBSCSIDriverPolicy), bind it to the ServiceAccount, and restart the pods so that they get its token',
      risk: 'restarts-pods',
      for: ['refused', 'none'],
      steps: [{ say: 'after the role is bound', run: 'kubectl -n {{namespace}} rollout restart deployment', on: 'cluster' }],
      verified: 'the log no longer tells of refused calls',
    },
    {
      say: 'Where the role of the node is used, let pods reach the metadata service (hop limit 2), or use hostNetwork for the controller',
      risk: 'touches-node',
      for: ['metadata', 'blocked'],
      steps: [
        {
          say: 'AWS',
          run: 'aws ec2 modify-instance-metadata-options --instance-id INSTANCE --http-put-response-hop-limit 2',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'aws-sdk-go aws/credentials, aws-sdk-go-v2 credentials',
    'aws-ebs-csi-driver docs/install.md',
    'azure-sdk-for-go azidentity',
    'googleapis Google API errors',
  ],
});
