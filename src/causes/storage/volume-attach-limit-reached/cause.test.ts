import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const VOLUME = 'pvc-1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b';
const event = (words: string) =>
  `NAMESPACE   LAST SEEN   TYPE      REASON               OBJECT         MESSAGE\nshop        8s          Warning   FailedAttachVolume   pod/ledger-0   AttachVolume.Attach failed for volume "${VOLUME}" : rpc error: code = Internal desc = ${words}\n`;
const nova =
  'failed to attach volume: Request forbidden, error message: {"forbidden": {"code": 403, "message": "The maximum allowed number of disk devices (16) to attach to a single instance has been exceeded."}}';
const found = (words: string) => ({ evidence: { 'events.txt': event(words) }, confidence: 'certain' as const });
const pod =
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-0\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: ledger-data\n';

testCause(cause, {
  finds: {
    'a private cloud': { ...found(nova), cites: ['events.txt:2'] },
    'a machine type and its number': found(
      'Could not attach volume "vol-0a1b2c3d" to node "i-0f9e8d7c": attachment limit exceeded: api error AttachmentLimitExceeded: You may attach up to 27 devices for this instance type.',
    ),
    'a size of machine': found(
      'Retriable: false, RawError: {"error": {"code": "OperationNotAllowed", "message": "The maximum number of data disks allowed to be attached to a VM of this size is 4."}}',
    ),
    'a kind of disk with its own number': found(
      'Failed to Attach: failed when waiting for zonal op: operation op-1 failed (UNSUPPORTED_OPERATION): Maximum hyperdisk-balanced disks count should be less than or equal to [16], Requested : [17]',
    ),
    'a small provider': found(
      'failed to publish volume: maximum number of volumes already attached to the server (resource_limit_exceeded)',
    ),
    'the log of the driver': {
      evidence: {
        'csi.log':
          'E0304 08:10:57.088302       1 rpcserver.go:121] GRPC error: rpc error: code = Internal desc = Message (PermissionDenied, you can only attach [10] volumes to one instance at most)\n',
      },
      confidence: 'certain',
    },
    'with its claim': { evidence: { 'events.txt': event(nova), 'pod.yaml': pod }, confidence: 'certain' },
  },
  rulesOut: {
    'attached since': {
      evidence: {
        'events.txt': `${event(nova)}shop        1s          Normal    SuccessfulAttachVolume   pod/ledger-0   AttachVolume.Attach succeeded for volume "${VOLUME}"\n`,
      },
      by: 'attached',
    },
  },
  asks: { 'what the pod mounts': { evidence: { 'events.txt': event(nova) }, for: 'pod.volume' } },
});
