import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = (words: string) =>
  `NAMESPACE   LAST SEEN   TYPE      REASON               OBJECT         MESSAGE\nshop        8s          Warning   FailedAttachVolume   pod/ledger-0   AttachVolume.Attach failed for volume "pvc-1f2e3d4c" : rpc error: code = Internal desc = ${words}\n`;
const since = `shop        1s          Normal    SuccessfulAttachVolume   pod/ledger-0   AttachVolume.Attach succeeded for volume "pvc-1f2e3d4c"\n`;
const found = (words: string) => ({ evidence: { 'events.txt': event(words) }, confidence: 'certain' as const });
const pod =
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-0\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: ledger-data\n';
const aws =
  'Could not attach volume "vol-0a1b" to node "i-0a1b": InvalidVolume.ZoneMismatch: The volume \'vol-0a1b\' is not in the same availability zone as instance \'i-0a1b\'';

testCause(cause, {
  finds: {
    'one cloud': { ...found(aws), cites: ['events.txt:2'] },
    'another, with both zones': found(
      `HTTPStatusCode: 400, RawError: {"error":{"code":"BadRequest","message":"Disk /disks/ledger cannot be attached to the VM because it is not in the same zone as the VM. VM zone: '1'. Disk zone: '2'."}}`,
    ),
    'a third': found('[TencentCloudSDKError] Code=ZoneNotMatch, Message=DiskId: disk-0a1b, RequestId=1'),
    'a small one': found('failed to publish volume: volume and server are in different locations'),
    'with its claim': { evidence: { 'events.txt': event(aws), 'pod.yaml': pod }, confidence: 'certain' },
  },
  rulesOut: { 'attached since': { evidence: { 'events.txt': `${event(aws)}${since}` }, by: 'attached' } },
  asks: { 'what the pod mounts': { evidence: { 'events.txt': event(aws) }, for: 'pod.volume' } },
});
