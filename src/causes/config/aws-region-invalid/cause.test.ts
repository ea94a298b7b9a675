import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => `$ kubectl -n shop logs anvil-6d5f7c9b8d-x7k2p\n${words}\n`;
const zone =
  'operation error EC2: DescribeVolumes, request send failed, Post "https://ec2.eu-west-1a.amazonaws.com/": dial tcp: lookup ec2.eu-west-1a.amazonaws.com on 10.96.0.10:53: no such host';

testCause(cause, {
  finds: {
    'a zone in place of the region': { evidence: { 'anvil.log': log(zone) }, confidence: 'certain', cites: ['anvil.log:2'] },
    'no hyphen before the number': {
      evidence: {
        'anvil.log': log(
          'botocore.exceptions.EndpointConnectionError: Could not connect to the endpoint URL: "https://s3.eu-west1.amazonaws.com/anvil-backups"',
        ),
      },
      confidence: 'certain',
    },
    'nothing at all': {
      evidence: { 'anvil.log': log('Post "https://sts..amazonaws.com/": dial tcp: lookup sts..amazonaws.com: no such host') },
      confidence: 'certain',
    },
    'in an event': {
      evidence: {
        'describe.txt': `Events:
  Type     Reason            Age                From     Message
  ----     ------            ----               ----     -------
  Warning  FailedBuildModel  2m (x5 over 5m)    ingress  Failed build model due to RequestError: send request failed caused by: Post "https://ec2.ap-southeast2.amazonaws.com/": dial tcp: lookup ec2.ap-southeast2.amazonaws.com on 10.96.0.10:53: no such host
`,
      },
      confidence: 'certain',
    },
    'the library says so': {
      evidence: {
        'anvil.log': log("botocore.exceptions.InvalidRegionError: Provided region_name 'eu_west_1' doesn't match a supported format."),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'AWS answers': {
      evidence: {
        'anvil.log': log(
          `${zone}\noperation error S3: PutObject, https response error StatusCode: 403, RequestID: 4F2, api error AccessDenied`,
        ),
      },
      by: 'reached',
    },
  },
  asks: { 'the log': { evidence: { 'note.txt': `${zone}\n` }, for: 'container-log' } },
});
