import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const says = (text: string) =>
  `time="2026-03-04T08:10:57Z" level=error msg="Current BackupStorageLocations available/unavailable/unknown: 0/1/0, BackupStorageLocation \\"heron\\" is unavailable: ${text})" controller=backup-storage-location logSource="pkg/controller/backup_storage_location_controller.go:192"\n`;
const plugin = says('unable to locate ObjectStore plugin named velero.io/aws');
const found = (text: string) => ({ evidence: { 'velero.log': says(text) }, confidence: 'certain' as const });

testCause(cause, {
  finds: {
    'no plugin': { evidence: { 'velero.log': plugin }, confidence: 'certain' },
    'no bucket': found(
      'rpc error: code = Unknown desc = operation error S3: ListObjectsV2, https response error StatusCode: 404, api error NoSuchBucket: The specified bucket does not exist',
    ),
    'another region': found(
      'rpc error: code = Unknown desc = AuthorizationHeaderMalformed: The authorization header is malformed; the region is wrong',
    ),
    'older words': {
      evidence: {
        'velero.log':
          'An error occurred: some backup storage locations are invalid: backup store for location "heron" is invalid: Backup store contains invalid top-level directories: [logs]\n',
      },
      confidence: 'certain',
    },
    'only the refusal of a backup': {
      evidence: {
        'describe.txt':
          "Validation errors:  backup can't be created because backup storage location heron is currently in Unavailable state\n",
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'available since': {
      evidence: {
        'velero.log': `${plugin}time="2026-03-04T08:20:57Z" level=info msg="BackupStorageLocations is valid, marking as available" backup-storage-location=velero/heron controller=backup-storage-location\n`,
      },
      by: 'valid',
    },
  },
  asks: {
    'the log of Velero': {
      evidence: {
        'describe.txt':
          "Validation errors:  backup can't be created because backup storage location heron is currently in Unavailable state\n",
      },
      for: 'container-log',
    },
  },
});
