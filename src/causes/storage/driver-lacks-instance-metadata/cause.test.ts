import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const silent = 'I0304 08:10:54.101000       1 metadata.go:88] "ec2 metadata is not available"';
const panic = 'panic: node providerID empty, cannot parse';
const log = (...lines: readonly string[]) => ({ 'driver.log': `${lines.join('\n')}\n` });

testCause(cause, {
  finds: {
    'neither the service nor the Node': { evidence: log(silent, panic), confidence: 'certain' },
    'the file driver': {
      evidence: log('F0304 08:10:57.846165       1 driver.go:59] could not get metadata from AWS: EC2 instance metadata is not available'),
      confidence: 'certain',
    },
    'a current release': {
      evidence: log(
        'E0304 08:10:57.868297       1 main.go:154] "Could not determine region from any metadata service. The region can be manually supplied via the AWS_REGION environment variable." err="error getting instance data from ec2 metadata or kubernetes api"',
      ),
      confidence: 'certain',
    },
    'another cloud': {
      evidence: log(
        'time="2026-03-04T08:10:57Z" level=fatal msg="couldn\'t get metadata: Get http://169.254.169.254/metadata/v1.json: context deadline exceeded (Client.Timeout exceeded while awaiting headers) (are you running outside of a DigitalOcean droplet?)"',
      ),
      confidence: 'certain',
    },
    'only the first half': { evidence: log(silent), confidence: 'possible' },
  },
  rulesOut: {
    'the API server is out of reach': {
      evidence: log(
        silent,
        'panic: error getting Node plover-1: Get "https://172.20.0.1:443/api/v1/nodes/plover-1": dial tcp 172.20.0.1:443: i/o timeout',
      ),
      by: 'apiSilent',
    },
    'answered since': {
      evidence: log(silent, panic, 'I0304 08:12:01.000000       1 metadata.go:41] "Retrieved metadata from IMDS"'),
      by: 'isKnown',
    },
  },
  asks: { 'the log of the driver': { evidence: { 'note.txt': 'It said: "ec2 metadata is not available"\n' }, for: 'container-log' } },
});
