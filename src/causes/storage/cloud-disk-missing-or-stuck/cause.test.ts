import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = (words: string) =>
  `NAMESPACE   LAST SEEN   TYPE      REASON               OBJECT         MESSAGE\nshop        8s          Warning   FailedAttachVolume   pod/ledger-0   AttachVolume.Attach failed for volume "pvc-1f2e3d4c" : rpc error: code = Internal desc = ${words}\n`;
const since = `shop        1s          Normal    SuccessfulAttachVolume   pod/ledger-0   AttachVolume.Attach succeeded for volume "pvc-1f2e3d4c"\n`;
const found = (words: string) => ({ evidence: { 'events.txt': event(words) }, confidence: 'certain' as const });
const pod =
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-0\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: ledger-data\n';
const nova =
  'failed to attach 51f6ac5c-69e0-487a-bce7-f050f11a170c volume to 0e5c3a64 compute: Bad request with: [POST https://nova.example/os-volume_attachments], error message: {"badRequest": {"code": 400, "message": "Invalid volume: Volume 51f6ac5c-69e0-487a-bce7-f050f11a170c status must be available or downloading to reserve, but the current status is reserved."}}';
const ec2 = 'Could not attach volume "vol-0a1b" to node "i-0a1b": InvalidVolume.NotFound: The volume \'vol-0a1b\' does not exist.';

testCause(cause, {
  finds: {
    'an order that EC2 does not finish': {
      evidence: {
        'events.txt':
          '$ kubectl -n shop get events\nLAST SEEN   TYPE      REASON               OBJECT         MESSAGE\n58s         Warning   FailedAttachVolume   pod/ledger-0   AttachVolume.Attach failed for volume "pvc-1b2c" : rpc error: code = Internal desc = Could not attach volume "vol-0b4a5d8c" to node "i-0a9b8c7d": attachment of disk "vol-0b4a5d8c" failed, expected device to be attached but was attaching\n',
      },
      confidence: 'certain',
    },
    'half attached': { ...found(nova), cites: ['events.txt:2'] },
    'older words': found(
      `Expected HTTP response code [200], but got 400 instead {"badRequest": {"message": "Invalid volume: volume '0a1b' status must be 'available'. Currently in 'detaching'", "code": 400}}`,
    ),
    'deleted at the cloud': found(ec2),
    'forgotten by the hypervisor': found(
      'failed to attach cns volume: "6d2c" to node vm: fault: "Volume with ID 6d2c is not registered as CNS Volume."',
    ),
    'with its claim': { evidence: { 'events.txt': event(ec2), 'pod.yaml': pod }, confidence: 'certain' },
  },
  rulesOut: {
    'a disk that was never made': {
      evidence: {
        'events.txt': event(
          `Could not create volume "pvc-1f2e3d4c": failed to get an available volume in EC2: InvalidVolume.NotFound: The volume 'vol-0a1b' does not exist.`,
        ),
      },
      by: 'neverMade',
    },
    'attached since': { evidence: { 'events.txt': `${event(ec2)}${since}` }, by: 'attached' },
  },
  asks: { 'what the pod mounts': { evidence: { 'events.txt': event(ec2) }, for: 'pod.volume' } },
});
