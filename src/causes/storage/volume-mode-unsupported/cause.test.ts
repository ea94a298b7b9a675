import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const VOLUME = 'pvc-1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b';
const event = (reason: string, words: string) =>
  `NAMESPACE   LAST SEEN   TYPE      REASON            OBJECT         MESSAGE\nshop        8s          Warning   ${reason}   pod/ledger-0   ${words}\n`;
const pod =
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-0\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: ledger-data\n';
const mapped = `MapVolume.SetUp failed for volume "${VOLUME}" : kubernetes.io/csi: blockMapper.SetUpDevice failed: kubernetes.io/csi: blockMapper.stageVolumeForBlock failed: rpc error: code = InvalidArgument desc = no mount capability`;

testCause(cause, {
  finds: {
    'a driver without raw devices': {
      evidence: { 'events.txt': event('FailedMapVolume', mapped) },
      confidence: 'certain',
      cites: ['events.txt:2'],
    },
    'with its claim': { evidence: { 'events.txt': event('FailedMapVolume', mapped), 'pod.yaml': pod }, confidence: 'certain' },
    'a claim nobody makes': {
      evidence: {
        'events.txt':
          'Warning  ProvisioningFailed  9s  rancher.io/local-path  failed to provision volume with StorageClass "local-path": block volume provisioning is not supported\n',
      },
      confidence: 'certain',
    },
    'a device under mounts': {
      evidence: { 'events.txt': event('FailedMount', 'volume scratch has volumeMode Block, but is specified in volumeMounts') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'handed over since': {
      evidence: {
        'events.txt': `${event('FailedMapVolume', mapped)}shop        1s          Normal    SuccessfulMountVolume   pod/ledger-0   MapVolume.MapPodDevice succeeded for volume "${VOLUME}"\n`,
      },
      by: 'mapped',
    },
  },
  asks: {
    'what the pod mounts': { evidence: { 'events.txt': event('FailedMapVolume', mapped) }, for: 'pod.volume' },
  },
});
