import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const conntrack =
  "❌  Exiting due to GUEST_MISSING_CONNTRACK: Sorry, Kubernetes 1.27.4 requires conntrack to be installed in root's path\n";
const boot =
  'ERROR: failed to create cluster: could not find a log line that matches "Reached target .*Multi-User System.*|detected cgroup v1"\n';

testCause(cause, {
  finds: {
    'a code that tells only where': {
      evidence: {
        'paste.txt':
          '❌  Exiting due to GUEST_PROVISION: error provisioning guest: Failed to start host: creating host: create: creating: create kic node: container exited status 1\n',
      },
      confidence: 'possible',
    },
    'a program is missing': { evidence: { 'paste.txt': conntrack }, confidence: 'certain' },
    'too few CPUs': {
      evidence: {
        'paste.txt':
          '⛔  Exiting due to RSRC_INSUFFICIENT_CORES:  has less than 2 CPUs available, but Kubernetes requires at least 2 to be available\n',
      },
      confidence: 'certain',
    },
    'rootless without controllers': {
      evidence: {
        'paste.txt':
          'ERROR: failed to create cluster: running kind with rootless provider requires setting systemd property "Delegate=yes", see https://kind.sigs.k8s.io/docs/user/rootless/\n',
      },
      confidence: 'certain',
    },
    'a node that does not boot': { evidence: { 'paste.txt': boot }, confidence: 'possible' },
  },
  rulesOut: {
    'it came up': {
      evidence: {
        'paste.txt': `${conntrack}🏄  Done! kubectl is now configured to use "minikube" cluster and "default" namespace by default\n`,
      },
      by: 'done',
    },
  },
  asks: { 'the log of the node': { evidence: { 'paste.txt': boot }, for: 'container-log' } },
});
