import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (error: string) =>
  `time="2026-03-04T08:10:57Z" level=error msg="Error backing up item" backup=velero/nightly-20260304 error="${error}" logSource="pkg/backup/backup.go:435" name=ledger-0\n`;
const absent = log('daemonset pod not found in running state in node plover-1');
const found = (error: string) => ({ evidence: { 'velero.log': log(error) }, confidence: 'certain' as const });
const restic =
  'pod volume backup failed: running backup, stderr=error running restic backup command restic backup --repo=s3:http://store:9000/heron/restic/shop --host=velero --json with error: signal: killed stderr: ';

testCause(cause, {
  finds: {
    'no agent on the node': { evidence: { 'velero.log': absent }, confidence: 'certain' },
    'killed at its limit': { evidence: { 'velero.log': log(restic) }, confidence: 'possible' },
    'no class with the label': {
      evidence: {
        'describe.txt':
          'Errors:\n  Velero:    name: /ledger-0 message: /Error backing up item error: /error executing custom action (groupResource=persistentvolumeclaims, namespace=shop, name=ledger-data): rpc error: code = Unknown desc = failed to get VolumeSnapshotClass for StorageClass fast: error getting VolumeSnapshotClass: failed to get VolumeSnapshotClass for provisioner disk.csi.example.com,\n            ensure that the desired VolumeSnapshot class has the velero.io/csi-volumesnapshot-class label\n',
      },
      confidence: 'certain',
    },
    'another folder of the kubelet': found(
      'pod volume backup failed: error identifying unique volume path on host for volume data in pod ledger-0: expected one matching path: /host_pods/1f2e/volumes/*/pvc-0a1b, got 0',
    ),
    'no repository': found(
      'error to connect to backup repo: error to connect repo with storage: repository not initialized in the provided storage',
    ),
    'another password': found(
      'backup repository is not ready: error running command=restic snapshots: Fatal: wrong password or no key found',
    ),
    'a lock left behind': found(
      'pod volume backup failed: running backup: unable to create lock in backend: repository is already locked exclusively by PID 12',
    ),
    'some other reason': {
      evidence: { 'velero.log': log('data path backup failed: Failed to run kopia backup: boom') },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the next one came to its end': {
      evidence: {
        'velero.log': absent,
        'backups.txt':
          'nightly-20260305   Completed   0        0          2026-03-05 02:00:11 +0000 UTC   29d       default            <none>\n',
      },
      by: 'done',
    },
  },
  asks: {
    'the log of Velero': {
      evidence: { 'note.txt': 'Errors: timed out waiting for all PodVolumeBackups to complete\n' },
      for: 'container-log',
    },
  },
});
