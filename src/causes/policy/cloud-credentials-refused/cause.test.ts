import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => `$ kubectl -n kube-system logs disk-csi-controller-5d9c7b6f8-q2w4z -c plugin\n${words}\n`;
const refused =
  'E0514 19:05:03.027156       1 driver.go:120] GRPC error: rpc error: code = Internal desc = Could not attach volume "vol-0b1c" to node "i-0a9": UnauthorizedOperation: You are not authorized to perform this operation. Encoded authorization failure message: abc\n\tstatus code: 403, request id: 1';

testCause(cause, {
  finds: {
    'a bucket, and nobody to sign': {
      evidence: {
        'csi.log': log(
          'Error: Failed to create S3 client\n\nCaused by:\n    0: initial ListObjectsV2 failed for bucket media in region eu-west-1\n    1: Client error\n    2: No signing credentials available, see CRT debug logs',
        ),
      },
      confidence: 'certain',
    },
    'a role that the cloud must make first': {
      evidence: {
        'karpenter.log':
          '{"level":"ERROR","time":"2025-03-04T08:10:57Z","logger":"controller","message":"failed launching nodeclaim","error":"creating instance, AuthFailure.ServiceLinkedRoleCreationNotPermitted: The provided credentials do not have permission to create the service-linked role for EC2 Spot Instances."}\n',
      },
      confidence: 'certain',
    },
    'a bucket': {
      evidence: {
        'csi.log': log(
          'Error: Failed to create S3 client\n\nCaused by:\n    0: initial ListObjectsV2 failed for bucket media in region eu-west-1\n    1: Client error\n    2: Forbidden: Access Denied',
        ),
      },
      confidence: 'certain',
    },
    'the metadata service out of reach': {
      evidence: {
        'csi.log': log(
          'E1126 10:30:52.693448       1 driver.go:111] GRPC error: rpc error: code = Internal desc = operation error EC2: DescribeInstances, get identity: get credentials: failed to refresh cached credentials, no EC2 IMDS role found, operation error ec2imds: GetMetadata, canceled, context deadline exceeded',
        ),
      },
      confidence: 'certain',
    },
    'an event of the network plugin': {
      evidence: {
        'events.txt': `Events:
  Type     Reason                 Age                    From      Message
  ----     ------                 ----                   ----      -------
  Warning  MissingIAMPermissions  7m42s (x2 over 7m42s)  aws-node  Unauthorized operation: failed to call ec2:CreateTags due to missing permissions. Please refer to the policy document to attach relevant policy to IAM role
`,
      },
      confidence: 'certain',
    },
    'the role may not attach disks': {
      evidence: { 'csi.log': log(refused) },
      confidence: 'certain',
      place: 'Deployment kube-system/disk-csi-controller',
      cites: ['csi.log:2'],
    },
    'no role at all': {
      evidence: {
        'csi.log': log(
          'E1126 10:30:52.693448       1 driver.go:111] GRPC error: rpc error: code = Internal desc = NoCredentialProviders: no valid providers in chain\ncaused by: EnvAccessKeyNotFound: failed to find credentials in the environment.\nEC2RoleRequestError: no EC2 instance role found\ncaused by: EC2MetadataError: Get "http://169.254.169.254/latest/meta-data/iam": context deadline exceeded',
        ),
      },
      confidence: 'certain',
    },
    'the ServiceAccount is not the one the role trusts': {
      evidence: {
        'csi.log': log(
          'E1126 10:30:52.693448       1 driver.go:111] GRPC error: rpc error: code = Internal desc = operation error EC2: CreateVolume, get identity: get credentials: failed to refresh cached credentials, operation error STS: AssumeRoleWithWebIdentity, https response error StatusCode: 403, api error AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity',
        ),
      },
      confidence: 'certain',
    },
    'a fleet that may not be made': {
      evidence: {
        'log.txt': log(
          '2022-03-17T20:10:29.302Z\tERROR\tcontroller.provisioning\tCould not launch node, launching instances, creating fleet UnauthorizedOperation: You are not authorized to perform this operation. Encoded authorization failure message: abc\t{"commit": "4b14787"}',
        ),
      },
      confidence: 'certain',
    },
    'a Google service account that is not bound': {
      evidence: {
        'log.txt': log(
          'time="2024-03-04T08:10:57Z" level=error msg="compute: Received 403 `Unable to generate access token; IAM returned 403 Forbidden: Permission \'iam.serviceAccounts.getAccessToken\' denied on resource (or it may not exist).`"',
        ),
      },
      confidence: 'certain',
    },
    'no VPC from the metadata': {
      evidence: {
        'log.txt': log(
          '{"level":"error","ts":"2024-01-01T00:00:00Z","logger":"setup","msg":"unable to initialize AWS cloud","error":"failed to get VPC ID: failed to fetch VPC ID from instance metadata: error in fetching vpc id through ec2 metadata"}',
        ),
      },
      confidence: 'certain',
    },
    'another cloud': {
      evidence: {
        'csi.log': log(
          'E1126 10:30:52.693448       1 utils.go:82] GRPC error: Retriable: false, HTTPStatusCode: 403, RawError: {"error":{"code":"AuthorizationFailed","message":"The client 0b1c does not have authorization to perform action \'Microsoft.Compute/disks/write\' over scope /subscriptions/1"}}',
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a new machine fetches its pause image': {
      evidence: {
        'journal.txt':
          'Jun 05 07:21:03 oak-1 pull-sandbox-image.sh[1177]: Unable to locate credentials. You can configure credentials by running "aws configure".\nJun 05 07:21:03 oak-1 systemd[1]: Failed to start pull sandbox image defined in containerd config.toml.\n',
      },
      by: 'machineSetup',
    },
    'a clock that is wrong': {
      evidence: {
        'csi.log': log(
          `${refused}\nE0514 19:05:04.027156       1 driver.go:120] GRPC error: RequestTimeTooSkewed: The difference between the request time and the current time is too large`,
        ),
      },
      by: 'clock',
    },
  },
  asks: {
    'the log of the driver': {
      evidence: {
        'paste.txt':
          'ebs-plugin: Get "http://169.254.169.254/latest/meta-data/iam/security-credentials/": context deadline exceeded while waiting\n',
      },
      for: 'container-log',
    },
  },
});
