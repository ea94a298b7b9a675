import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = (words: string) =>
  `NAMESPACE   LAST SEEN   TYPE      REASON               OBJECT         MESSAGE\nshop        8s          Warning   FailedAttachVolume   pod/ledger-0   AttachVolume.Attach failed for volume "pvc-1f2e3d4c" : rpc error: code = Internal desc = ${words}\n`;
const since = `shop        1s          Normal    SuccessfulAttachVolume   pod/ledger-0   AttachVolume.Attach succeeded for volume "pvc-1f2e3d4c"\n`;
const found = (words: string) => ({ evidence: { 'events.txt': event(words) }, confidence: 'certain' as const });
const pod =
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-0\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: ledger-data\n';
const gce =
  'Failed to Attach: failed when waiting for zonal op: operation operation-1 failed (UNSUPPORTED_OPERATION): pd-balanced disk type cannot be used by n4-standard-4 machine type.';

testCause(cause, {
  finds: {
    'a new family of machines': { ...found(gce), cites: ['events.txt:2'] },
    'a premium disk': found(
      `HTTPStatusCode: 400, RawError: {"error":{"code":"InvalidParameter","message":"Requested operation cannot be performed because the VM size Standard_D2_v3 does not support the storage account type Premium_LRS of disk 'ledger'."}}`,
    ),
    'a category of disks': found(
      'Error happens to attach disk d-0a1b to instance i-0a1b, ErrorCode: InvalidInstanceType.NotSupportDiskCategory',
    ),
    'with its claim': { evidence: { 'events.txt': event(gce), 'pod.yaml': pod }, confidence: 'certain' },
  },
  rulesOut: { 'attached since': { evidence: { 'events.txt': `${event(gce)}${since}` }, by: 'attached' } },
  asks: { 'what the pod mounts': { evidence: { 'events.txt': event(gce) }, for: 'pod.volume' } },
});
