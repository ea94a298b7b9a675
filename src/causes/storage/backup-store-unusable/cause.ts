import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['container-log', 'object-events', 'prose'] as const;
const noPlugin = line(
  ['unable to locate ObjectStore plugin named', 'unable to locate VolumeSnapshotter plugin named'],
  SAID_BY,
  /unable to locate (?<kind>ObjectStore|VolumeSnapshotter) plugin named (?<plugin>[\w./-]{3,100})/,
);
const unavailable = line(
  [
    'BackupStorageLocation \\"',
    'BackupStorageLocation "',
    'Backup location \\"',
    'backup store for location',
    'Error listing backups in backup store',
  ],
  SAID_BY,
  /(?:Backup(?:StorageLocation| location) [\\"]{1,4}(?<location>[\w.-]{1,253})[\\"]{1,4} is unavailable: |backup store for location [\\"]{1,4}(?<old>[\w.-]{1,253})[\\"]{1,4} is invalid: |Error listing backups in backup store[\\"]{1,4}(?: backupLocation=(?:[\w.-]{1,253}\/)?(?<listed>[\w.-]{1,253}))?[^\n]{0,120}? error=[\\"]{1,4})(?:rpc error: code = \w{2,30} desc = )?(?!unable to locate)(?<text>[^\n]{3,400})/,
);
const state = line(
  ['is currently in Unavailable state', 'backup storage location wasn', 'backupstoragelocations.velero.io'],
  SAID_BY,
  /backup storage location (?<location>[\w.-]{1,253}) is currently in Unavailable state|an existing backup storage location wasn['’]t specified at backup creation time|backupstoragelocations\.velero\.io [\\"]{1,4}(?<missing>[\w.-]{1,253})[\\"]{1,4} not found/,
);
// No channel: a location that answers settles it.
const valid = line(['marking as available', 'Backup completed'], [], /is valid, marking as available/);

export const cause = defineCause({
  id: 'backup-store-unusable',
  area: 'storage',
  at: 'Namespace',
  maturity: 'sandbox',
  explains: ['other-trouble', 'not-ready', 'crash-loop', 'restarts'],
  effectOf: [
    'cloud-credentials-refused',
    'app-credentials-rejected',
    'app-dependency-unreachable',
    'app-tls-peer-untrusted',
    'rbac-denied-in-app',
  ],

  text: {
    name: 'Backup store cannot be used',
    title: 'Velero cannot use backup location {location}: {what}',
    why: 'Velero keeps its backups in a bucket, which a BackupStorageLocation names and a plugin talks to; it checks every minute whether that answers. {detail} While no location is available, backups fail (FailedValidation) or are not listed, and nothing can be restored. The workloads of the cluster are not touched by it.',
  },

  clues: {
    noPlugin: proves(noPlugin),
    unavailable: proves(unavailable),
    state: supports(state),
    valid: excludes(valid),
  },
  says: {
    noPlugin: 'Velero has no plugin of the name {plugin}',
    unavailable: 'the location does not answer as it should: {text}',
    state: 'backups are refused, since the location is not available or not there',
    valid: 'the location was found available since',
  },
  slots: (place, { noPlugin: without, unavailable: said, state: refused }) => {
    const text = said?.fields['text'] ? heartOf(said.fields['text']) : 'it is not available';
    const reason = without ? undefined : REASONS.find(({ pattern }) => pattern.test(text));
    const plugin = without?.fields['plugin'] ?? 'of its provider';
    return {
      namespace: place.kind === 'Namespace' && !/ /.test(place.name) ? place.name : 'velero',
      location:
        said?.fields['location'] ??
        said?.fields['old'] ??
        said?.fields['listed'] ??
        refused?.fields['location'] ??
        refused?.fields['missing'] ??
        'default',
      plugin,
      text,
      what: without
        ? `the plugin ${plugin} for its ${without.fields['kind'] === 'VolumeSnapshotter' ? 'snapshots' : 'object store'} is not installed in Velero`
        : (reason?.what ?? text),
      detail: without
        ? `Its provider asks for the plugin ${plugin}, and Velero has none of that name: plugins come as init containers of its Deployment, and that one is missing there, failed, or its image does not fit this release or CPU.`
        : (reason?.detail ?? `It answers here: ${text}.`),
      advice: without
        ? 'Add the plugin of the provider as an init container of Velero, in a release that fits (velero plugin add, or initContainers of the chart)'
        : (reason?.advice ??
          'Cure what the answer names: bucket, region and URL of the location, the Secret with the credentials, the way to the store'),
    };
  },

  fixes: [
    {
      say: '{advice}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the location: provider, bucket, region, s3Url, credential',
          run: 'kubectl -n {{namespace}} get backupstoragelocations -o yaml',
          on: 'cluster',
        },
        {
          say: 'the plugins Velero has (init containers)',
          run: `kubectl -n {{namespace}} get deployment velero -o jsonpath='{.spec.template.spec.initContainers[*].image}'`,
          on: 'cluster',
        },
        {
          say: 'a plugin that is missing, for example that of AWS and S3',
          run: 'velero plugin add velero/velero-plugin-for-aws:RELEASE',
          on: 'cluster',
        },
        {
          say: 'what Velero says of it',
          run: 'kubectl -n {{namespace}} logs deployment/velero --tail=100 | grep -iE "location|store|plugin"',
          on: 'cluster',
        },
      ],
      verified: 'velero backup-location get shows the phase Available',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'velero pkg/controller/backup_storage_location_controller.go, backup_sync_controller.go, backup_controller.go',
    'velero pkg/plugin/clientmgmt/process/registry.go',
  ],
});

interface Reason {
  readonly pattern: RegExp;
  readonly what: string;
  readonly detail: string;
  readonly advice: string;
}

const REASONS: readonly Reason[] = [
  {
    pattern: /InvalidAccessKeyId|SignatureDoesNotMatch|InvalidSecurity|ExpiredToken|AuthFailure|AADSTS|invalid_grant/,
    what: 'the store does not accept its access key',
    detail:
      'The store refuses the key or its signature: the Secret holds another key than the store knows, it has expired, or a blank or line break came into it.',
    advice: 'Put the right key into the Secret that the location names (key cloud: a credentials file with [default]), and restart Velero',
  },
  {
    pattern: /NoSuchBucket|bucket does not exist|ContainerNotFound|notFound|404/i,
    what: 'its bucket does not exist',
    detail: 'The store knows no bucket of that name, or not in this region or account: Velero does not make it.',
    advice: 'Create the bucket, or correct its name, prefix and region in the location',
  },
  {
    pattern: /AuthorizationHeaderMalformed|PermanentRedirect|BucketRegionError|MissingRegion|incorrect region|301/,
    what: 'its region is not that of the bucket',
    detail: 'The bucket lies in another region than the location names.',
    advice: 'Set config.region of the location to the region of the bucket',
  },
  {
    pattern: /invalid top-level directories/,
    what: 'its bucket holds other things than backups',
    detail: 'Velero wants the bucket, or the prefix in it, for itself, and finds folders that are not its own.',
    advice: 'Give Velero a bucket of its own, or a prefix in the location',
  },
  {
    pattern: /AccessDenied|AllAccessDisabled|Forbidden|403|AuthorizationFailed|not authorized/i,
    what: 'the store denies it the access',
    detail:
      'The store knows the key, but its policy does not allow to list, read or write this bucket; S3-compatible stores say so too when bucket or s3ForcePathStyle is wrong.',
    advice:
      'Allow list, get, put and delete on the bucket for that key or role; for MinIO and the like set s3ForcePathStyle: "true" and the s3Url',
  },
  {
    pattern: /x509|certificate/i,
    what: 'the certificate of the store is not trusted',
    detail: 'The store shows a certificate that Velero cannot check.',
    advice: 'Give its CA in the location (objectStorage.caCert)',
  },
  {
    pattern: /no such host|dial tcp|timeout|timed out|connection refused|deadline exceeded|no route to host/i,
    what: 'the store is not reached',
    detail: 'No answer comes from the address of the store (s3Url), or its name is not known.',
    advice:
      'See that the s3Url is right and reachable from the pod of Velero (a Service of the cluster is reached by its name there), past policies and proxies',
  },
];

function heartOf(text: string): string {
  const api = /api error (?<api>[^\n]{3,200})/.exec(text)?.groups?.['api'];
  return (api ?? text)
    .split(/\\n|[\\"]{1,4}(?: controller| error| logSource|$)/, 1)[0]
    ?.replace(/[)"\\]{1,4}$/, '')
    .trim()
    .slice(0, 200) as string;
}
