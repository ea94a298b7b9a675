import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const mismatch = '[ERROR]  CA checksum mismatch. Expected 61bcaa and got 8f3abb\n';
const failing =
  'Mar 02 10:11:12 elm-1 rancher-system-agent[900]: time="2026-03-02T10:11:12Z" level=error msg="error executing instruction 0: exit status 1"\n';

testCause(cause, {
  finds: {
    'another CA': { evidence: { 'paste.txt': mismatch }, confidence: 'certain' },
    'no way to Rancher': {
      evidence: {
        'paste.txt':
          'Mar 02 10:11:12 elm-1 rancher-system-agent[900]: time="2026-03-02T10:11:12Z" level=fatal msg="rancher-system-agent: Get \\"https://ranch.example.org/version\\": dial tcp 192.0.2.8:443: i/o timeout"\n',
      },
      confidence: 'certain',
    },
    'a step fails': { evidence: { 'journal.txt': failing }, confidence: 'possible' },
  },
  rulesOut: { 'it registered': { evidence: { 'paste.txt': `${mismatch}[INFO]  Successfully registered Rancher Agent\n` }, by: 'applied' } },
  asks: { 'the journal': { evidence: { 'journal.txt': failing }, for: 'system-log' } },
});
