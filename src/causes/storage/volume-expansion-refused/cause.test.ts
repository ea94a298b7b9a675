import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = (words: string) =>
  `NAMESPACE   LAST SEEN   TYPE      REASON               OBJECT                              MESSAGE\nshop        8s          Warning   VolumeResizeFailed   persistentvolumeclaim/ledger-data   ${words}\n`;
const resizer = (words: string) =>
  event(`resize volume "pvc-1f2e3d4c" by resizer "disk.csi.example.com" failed: rpc error: code = Internal desc = ${words}`);
const ebs =
  'Could not resize volume "vol-0a1b": operation error EC2: ModifyVolume, api error VolumeModificationRateExceeded: You\'ve reached the maximum modification rate per volume limit. Wait at least 6 hours between modifications per EBS volume.';

testCause(cause, {
  finds: {
    'a second time within hours': { evidence: { 'events.txt': resizer(ebs) }, confidence: 'certain', cites: ['events.txt:2'] },
    'a class that does not grow': {
      evidence: {
        'paste.txt':
          'Error from server (Forbidden): persistentvolumeclaims "ledger-data" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize\n',
      },
      confidence: 'certain',
    },
    'a claim made smaller': {
      evidence: {
        'paste.txt':
          'The PersistentVolumeClaim "ledger-data" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than previous value\n',
      },
      confidence: 'certain',
    },
    'a disk in use': {
      evidence: {
        'events.txt': resizer(
          `Could not resize volume "0a1b" to size 20: Bad request, error message: {"badRequest": {"code": 400, "message": "Invalid volume: Volume 0a1b status must be '('available',)' to extend, currently in-use."}}`,
        ),
      },
      confidence: 'certain',
    },
    'a disk in use, in-tree words': {
      evidence: {
        'events.txt': event(
          'error expanding volume "shop/ledger-data" of plugin "kubernetes.io/azure-disk": compute.DisksClient#CreateOrUpdate: Failure sending request: Code="OperationNotAllowed" Message="Cannot resize disk dynamic-pvc-1f2e while it is attached to running VM /subscriptions/0/heron."',
        ),
      },
      confidence: 'certain',
    },
    'the driver says something else': { evidence: { 'events.txt': resizer('pool fast is degraded') }, confidence: 'possible' },
  },
  rulesOut: {
    'enlarged since': {
      evidence: {
        'events.txt': `${resizer(ebs)}shop        1s          Normal    FileSystemResizeSuccessful   persistentvolumeclaim/ledger-data   MountVolume.NodeExpandVolume succeeded for volume "pvc-1f2e3d4c"\n`,
      },
      by: 'done',
    },
  },
  asks: {
    'the events of the claim': {
      evidence: { 'resizer.log': 'E0304 08:10:57.000000       1 controller.go:1] VolumeModificationRateExceeded: wait\n' },
      for: 'object-events',
    },
  },
});
