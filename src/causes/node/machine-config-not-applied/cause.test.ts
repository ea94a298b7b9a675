import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (text: string) =>
  `$ oc -n openshift-machine-config-operator logs machine-config-daemon-r4m2k -c machine-config-daemon\n${text}\n`;
const onDisk =
  'E0304 08:10:57.118204    2210 writer.go:226] Marking Degraded due to: unexpected on-disk state validating against rendered-worker-9f1b: content mismatch for file "/etc/crio/crio.conf.d/00-default"';

testCause(cause, {
  finds: {
    'a drain that was tried several times': {
      evidence: {
        'mcp.txt':
          'Message: Node oak-worker-1 is reporting: "failed to drain node (5 tries): timed out waiting for the condition: [error when evicting pods/\\"search-0\\" -n \\"shop\\": global timeout reached: 1m30s]"\n',
      },
      confidence: 'certain',
    },
    'a file that was changed, in the annotations of the node': {
      evidence: {
        'node.txt':
          'machineconfiguration.openshift.io/reason: content mismatch for file "/etc/chrony.conf"\nmachineconfiguration.openshift.io/state: Degraded\n',
      },
      confidence: 'certain',
    },
    'a file changed by hand': { evidence: { 'mcd.log': log(onDisk) }, confidence: 'certain' },
    'another image': {
      evidence: {
        'mcd.log': log(
          'E0304 08:10:57.118204    2210 writer.go:135] Marking Degraded due to: unexpected on-disk state validating against rendered-worker-9f1b: expected target osImageURL "registry.example/os@sha256:aa", have "registry.example/os@sha256:bb"',
        ),
      },
      confidence: 'certain',
    },
    'a configuration that is gone': {
      evidence: {
        'mcp.txt':
          'Name:  worker\nKind:  MachineConfigPool\nStatus:\n  Conditions:\n    Message:  Node cedar-2 is reporting: "machineconfig.machineconfiguration.openshift.io \\"rendered-worker-9f1b\\" not found"\n    Reason:   1 nodes are reporting degraded status on sync\n',
      },
      confidence: 'possible',
    },
    'a drain that does not end': {
      evidence: {
        'mcd.log': log(
          'E0304 08:10:57.118204    2210 writer.go:226] failed to drain node: cedar-2 after 1 hour. Please see machine-config-controller logs',
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'done since': {
      evidence: {
        'mcd.log': log(
          `${onDisk}\nI0304 09:10:57.118204    2210 update.go:2010] Update completed for config rendered-worker-9f1b and node has been successfully uncordoned\nI0304 09:10:58.118204    2210 daemon.go:1510] In desired config rendered-worker-9f1b`,
        ),
      },
      by: 'done',
    },
  },
  asks: {
    'its daemon': {
      evidence: { 'note.txt': 'unexpected on-disk state validating against rendered-worker-9f1b: mode mismatch for file\n' },
      for: 'container-log',
    },
  },
});
