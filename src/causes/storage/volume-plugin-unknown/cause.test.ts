import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (reason: string, message: string) =>
  `$ kubectl -n shop get events\nLAST SEEN   TYPE      REASON        OBJECT         MESSAGE\n58s         Warning   ${reason}   pod/ledger-0   ${message}\n`;
const none =
  'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: failed to get Plugin from volumeSpec for volume "heron-1" err=no volume plugin matched';

testCause(cause, {
  finds: {
    'a type that was removed': {
      evidence: { 'events.txt': events('FailedMount', none) },
      confidence: 'certain',
      cites: ['events.txt:3'],
    },
    'with its claim': {
      evidence: {
        'events.txt': events('FailedMount', none),
        'pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-0\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: ledger-data\n',
      },
      confidence: 'certain',
    },
    'the controller': {
      evidence: {
        'events.txt': events('FailedAttachVolume', 'AttachVolume.FindAttachablePluginBySpec failed for volume "heron-1"'),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a CSI driver that is missing': {
      evidence: {
        'events.txt': `${events('FailedMount', none)}8s          Warning   FailedMount   pod/ledger-0   MountVolume.SetUp failed for volume "a" : driver name a.example not found in the list of registered CSI drivers\n`,
      },
      by: 'driverMissing',
    },
  },
  asks: {
    'what the pod mounts': {
      evidence: {
        'events.txt': events('FailedAttachVolume', 'AttachVolume.FindAttachablePluginBySpec failed for volume "heron-1"'),
      },
      for: 'pod-spec',
    },
  },
});
