import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = (reason: string, words: string) =>
  `NAMESPACE   LAST SEEN   TYPE      REASON                          OBJECT                  MESSAGE\nshop        8s          Warning   ${reason}   volumesnapshot/ledger   ${words}\n`;
const noClass = event(
  'SetDefaultSnapshotClassFailed  ',
  'Failed to set default snapshot class with error cannot find default snapshot class',
);

testCause(cause, {
  finds: {
    'no class': { evidence: { 'events.txt': noClass }, confidence: 'certain', cites: ['events.txt:2'] },
    'no claim': {
      evidence: {
        'events.txt': event(
          'SnapshotContentCreationFailed  ',
          'Failed to create snapshot content with error snapshot controller failed to update ledger on API server: cannot get claim from snapshot',
        ),
      },
      confidence: 'certain',
    },
    'the driver refuses': {
      evidence: {
        'snapshotter.log':
          'E0304 08:10:57.000000       1 snapshot_controller.go:124] checkandUpdateContentStatus [snapcontent-1f2e]: error occurred failed to take snapshot of the volume vol-0a1b: "rpc error: code = ResourceExhausted desc = pool heron is full"\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'ready by now': {
      evidence: {
        'events.txt': `${noClass}shop        2s          Normal    SnapshotReady                   volumesnapshot/ledger   Snapshot shop/ledger is ready to use.\n`,
      },
      by: 'made',
    },
  },
  asks: {
    'events of the snapshot': {
      evidence: {
        'snapshotter.log':
          'E0304 08:10:57.000000       1 snapshot_controller.go:124] checkandUpdateContentStatus [snapcontent-1f2e]: error occurred failed to take snapshot of the volume vol-0a1b: "rpc error: code = Internal desc = busy"\n',
      },
      for: 'object-events',
    },
  },
});
