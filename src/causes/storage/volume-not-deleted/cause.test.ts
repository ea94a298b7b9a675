import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe = (from: string, message: string) => ({
  'describe.txt': `Name:            pvc-1f2e
Status:          Released
Claim:           shop/records-ledger-0
Reclaim Policy:  Delete
Events:
  Type     Reason              Age                From    Message
  ----     ------              ----               ----    -------
  Warning  VolumeFailedDelete  12s (x9 over 22m)  ${from}  ${message}
`,
});
const attached = describe('ebs.csi.aws.com_ebs-csi-controller', 'persistentvolume pvc-1f2e is still attached to node plover-1');

testCause(cause, {
  finds: {
    'still attached': { evidence: attached, confidence: 'certain' },
    'the row alone': {
      evidence: {
        'note.txt':
          'Warning  VolumeFailedDelete  3m  persistentvolume-controller  persistentvolume pvc-1f2e is still attached to node plover-1\n',
      },
      confidence: 'certain',
    },
    'mapped by somebody': {
      evidence: describe('rbd.csi.ceph.com', 'rpc error: code = Internal desc = rbd csi-vol-5d0c is still being used'),
      confidence: 'certain',
    },
    'a folder of the host': {
      evidence: describe('persistentvolume-controller', 'host_path deleter only supports /tmp/.+ but received provided /srv/records'),
      confidence: 'certain',
    },
    'nobody can': {
      evidence: describe(
        'persistentvolume-controller',
        'error getting deleter volume plugin for volume "pvc-1f2e": no deletable volume plugin matched',
      ),
      confidence: 'certain',
    },
    'in a list of events': {
      evidence: {
        'events.txt': `$ kubectl get events -A
NAMESPACE   LAST SEEN   TYPE      REASON               OBJECT                      MESSAGE
default     12s         Warning   VolumeFailedDelete   persistentvolume/pvc-1f2e   rpc error: code = Internal desc = the array is in maintenance
`,
      },
      confidence: 'possible',
    },
    'in words of the driver': {
      evidence: describe('nas.example.com_controller', 'rpc error: code = Internal desc = the array is in maintenance'),
      confidence: 'possible',
    },
  },
  rulesOut: {
    'deleted since': {
      evidence: { ...attached, 'shell.txt': 'deleted persistentvolume pvc-1f2e\n' },
      by: 'gone',
    },
  },
  asks: {
    'its events': {
      evidence: {
        'note.log': 'E0304 08:10:57.000000       1 controller.go:1] persistentvolume pvc-1f2e is still attached to node plover-1\n',
      },
      for: 'object-events',
    },
  },
});
