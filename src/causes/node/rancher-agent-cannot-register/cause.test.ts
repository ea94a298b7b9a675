import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const mismatch = '[ERROR]  Configured cacerts checksum (8f3abb61) does not match given --ca-checksum (61bcaa8f)\n';
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
    'a name that the pod cannot resolve': {
      evidence: {
        'paste.txt':
          'NAME                                    READY   STATUS             RESTARTS   AGE\ncattle-cluster-agent-6d8f9b7c54-x7k2p   0/1     CrashLoopBackOff   9          22m\n\n$ kubectl -n cattle-system logs cattle-cluster-agent-6d8f9b7c54-x7k2p\nERROR: https://ranch.example.org/ping is not accessible (Could not resolve host: ranch.example.org)\n',
      },
      confidence: 'certain',
    },
    'no answer while it registers': {
      evidence: {
        'paste.txt': '[ERROR]  000 received while downloading Rancher connection information. Sleeping for 5 seconds and trying again\n',
      },
      confidence: 'certain',
    },
    'a step fails': { evidence: { 'journal.txt': failing }, confidence: 'possible' },
  },
  rulesOut: { 'it registered': { evidence: { 'paste.txt': `${mismatch}[INFO]  Successfully registered Rancher Agent\n` }, by: 'applied' } },
  asks: { 'the journal': { evidence: { 'journal.txt': failing }, for: 'system-log' } },
});
