import { byContainers, byDaemons, defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const NO_SPACE = '(?:No space left on device|Disk quota exceeded)';
/** The same words for things that are no disk: shared memory, semaphores, watches, cgroups. */
const NO_DISK = String.raw`(?![^\n]{0,400}(?:shared memory|\/dev\/shm|semaphore|inotify|file watchers|add watch|\/sys\/fs\/|cgroup|fanotify|bpf|pull image|extract layer|register layer|unpack|\/var\/lib\/(?:containerd|docker|kubelet|containers)\/))`;

const store = line(
  [
    'no space left on device',
    'disk quota exceeded',
    'Disk is full writing',
    'Errcode: 28',
    'errno 28',
    'Error number 28 means',
    'flood stage disk watermark',
    'flood-stage watermark',
    'index read-only / allow delete',
    'database or disk is full',
    'minimum free drive threshold',
    'Free disk space is insufficient',
    'OLowDiskSpaceException',
    'Insufficient disk space to write',
    'NOT_ENOUGH_SPACE',
    'Detected low-disk space condition',
    'Insufficient disk space detected in one or more pods',
    'log dirs have failed',
  ],
  ['container-log', 'pod-status'],
  new RegExp(
    String.raw`^${NO_DISK}[\s\S]{0,2000}?(?:` +
      [
        String.raw`could not (?:write|extend|create|open|fsync|rename|copy|close)\b[^\n"]{0,60}(?:"(?<pg>[^"\n]{1,200})")?[^\n]{0,80}${NO_SPACE}`,
        String.raw`Disk is full writing '(?<mysql>[^'\n]{1,200})'`,
        '(?:Errcode: 28|errno 28 - |Error number 28 means)',
        String.raw`WiredTiger[^\n]{0,300}${NO_SPACE}|WT_[A-Z]{2,20}[^\n]{0,200}${NO_SPACE}|handle-write: pwrite[^\n]{0,100}${NO_SPACE}`,
        String.raw`flood[ -]stage (?:disk )?watermark[^\n]{0,40}exceeded(?: on \[[^\]\n]{1,60}\]\[[^\]\n]{1,60}\]\[(?<elastic>[^\]\n]{1,200})\])?|(?<index>exceeded flood[ -]stage (?:disk )?watermark)|index read-only \/ allow delete`,
        String.raw`(?:lock DB directory|opening storage failed|compact(?:ion)? failed|write WAL|log samples)[^\n]{0,200}?(?:open|write|mkdir) (?<tsdb>\/[^\s:"]{1,200}): ${NO_SPACE}`,
        String.raw`(?:MISCONF|AOF|append only file|append-only file|saving DB|RDB)[^\n]{0,120}${NO_SPACE}`,
        String.raw`(?:checkpoint file|log segment|log dir|LogDirFailure|broker)[^\n]{0,200}${NO_SPACE}|(?:all )?log dirs (?:in [^\n]{1,200}? )?have failed`,
        'database or disk is full|minimum free drive threshold|Free disk space is insufficient|OLowDiskSpaceException|Insufficient disk space to write|NOT_ENOUGH_SPACE|Detected low-disk space condition|Insufficient disk space detected in one or more pods',
        String.raw`(?:write|open|mkdir|rename|create|creat|fallocate|copy_file_range|preallocate|link|sync) (?<data>\/(?!(?:tmp|dev|proc|sys|run|etc|usr|root|home\/[^/]{1,40}$|var\/(?:log|tmp|run|lib\/(?:docker|containerd|kubelet|containers)))\/)[^\s:"']{0,60}(?:data|prometheus|wal|db|loki|tsdb|storage|lib|index|bitnami|minio|export|pv|volume|mnt|chunks|raft|backup|media|upload)[^\s:"']{0,200})['"]?: ${NO_SPACE}`,
      ].join('|') +
      ')',
    'i',
  ),
);
const plain = line(
  ['no space left on device', 'disk quota exceeded', 'ENOSPC: '],
  ['container-log', 'pod-status'],
  new RegExp(
    String.raw`^${NO_DISK}[\s\S]{0,2000}?(?:(?<path>\/(?!(?:dev|proc|sys)\/)[^\s:"',()]{2,200})["':,]{0,3} ?[^\n/]{0,60})?(?:${NO_SPACE}|ENOSPC: no space)`,
    'i',
  ),
);
const daemonFull = line(['no space left on device'], []);
const nodeFull = line(
  [
    'DiskPressure',
    'disk-pressure',
    'low on resource: ephemeral-storage',
    'local ephemeral storage limit',
    'ephemeral local storage usage exceeds',
    'Usage of EmptyDir volume',
  ],
  [],
  /DiskPressure\s{1,20}True|NodeHasDiskPressure|node\.kubernetes\.io\/disk-pressure:No|low on resource: ephemeral-storage|local ephemeral storage limit|ephemeral local storage usage exceeds|Usage of EmptyDir volume/,
);

export const cause = defineCause({
  id: 'data-volume-full',
  area: 'storage',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'init-crash', 'other-trouble'],

  text: {
    name: 'Data volume is full',
    title: 'The data volume that {container} writes to is full: no space left on device ({path})',
    why: '{container} keeps its data on a volume (PVC) and cannot write {path} any more: the file system of that volume has no space left (or no inodes, or its quota is reached). Databases and brokers stop or refuse to start then, since they cannot even write their lock and log files; a restart frees nothing. The disk of the node is another one: there is no DiskPressure.',
  },

  clues: {
    store: proves(store, byContainers),
    plain: supports(plain, byContainers),
    measured: supports(
      'host.filesystem',
      ({ path, usedShare = 0, inodesUsedShare = 0 }) =>
        Math.max(usedShare, inodesUsedShare) >= 0.98 &&
        !/^\/(?:$|boot|run|dev|snap|etc|var$|var\/(?:log|lib|lib\/(?:docker|containerd|kubelet)))(?:\/|$)/.test(path),
    ),
    claim: supports('pod.volume', ({ type }) => /^PersistentVolumeClaim/i.test(type)),
    nodeFull: excludes(nodeFull),
    daemonFull: excludes(daemonFull, byDaemons),
  },
  says: {
    store: '{container} cannot write {path}: no space left on its volume',
    plain: 'its log says: no space left on device ({path})',
    measured: 'df shows {mount} {share} full',
    claim: 'it keeps data on the volume {volume} (PVC {claimName})',
    nodeFull: 'the disk of the node is under pressure, or the limit of the pod itself is reached',
    daemonFull: 'daemons of the node meet the same: its own disk is full',
  },
  slots: (place, { store: said, plain: words, measured, claim }) => {
    const fields = said?.fields ?? {};
    const path =
      (fields['index'] ? 'the data of Elasticsearch or OpenSearch' : undefined) ??
      fields['pg'] ??
      fields['mysql'] ??
      fields['elastic'] ??
      fields['tsdb'] ??
      fields['data'] ??
      words?.fields['path'];
    return {
      ...namesOf(place),
      path: path ?? measured?.path ?? 'its data',
      mount: measured?.path ?? 'the volume',
      share: `${Math.round(Math.max(measured?.usedShare ?? 0, measured?.inodesUsedShare ?? 0) * 100)} %`,
      volume: claim?.name ?? 'of its claim',
      claim:
        claim?.source && namesOf(place).namespace !== 'NAMESPACE'
          ? `PersistentVolumeClaim/${namesOf(place).namespace}/${claim.source}`
          : '',
      claimName: claim?.source ?? 'CLAIM',
    };
  },

  fixes: [
    {
      say: 'See which volume is full, by space or by inodes',
      risk: 'reads-only',
      steps: [
        {
          say: 'inside the pod, or a debug pod with the same claim when it does not stay up',
          run: 'kubectl -n {{namespace}} exec {{target}} -c {{container}} -- sh -c "df -h; df -i"',
          on: 'cluster',
        },
        { say: 'claims, their sizes and classes', run: 'kubectl -n {{namespace}} get pvc; kubectl get storageclass', on: 'cluster' },
      ],
    },
    {
      say: 'Enlarge the volume: increase the size of the PVC (its class must have allowVolumeExpansion: true)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'to a size with room; it cannot be shrunk again',
          run: 'kubectl -n {{namespace}} patch pvc {{claimName}} -p \'{"spec":{"resources":{"requests":{"storage":"NEW-SIZE"}}}}\'',
          on: 'cluster',
        },
        {
          say: 'the file system grows when the volume is mounted again: restart the pod, and enter the new size in the volumeClaimTemplates or chart values',
          run: 'kubectl -n {{namespace}} get pvc {{claimName}} -w',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'object-set',
          object: '{{claim}}',
          field: 'spec.resources.requests.storage',
          value: { ask: 'size', says: 'new size of the claim, such as 20Gi; it cannot be made smaller again' },
        },
      ],
      verified: 'df shows free space and the program starts and stays up',
    },
    {
      say: 'Free space on it by the means of the program: delete old data, logs, backups and snapshots, shorten retention',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'never delete write-ahead logs (pg_wal, binlogs, WAL) by hand: remove what keeps them (replication slots, failed archiving)',
          run: 'kubectl -n {{namespace}} exec {{target}} -c {{container}} -- sh -c "du -xh / 2>/dev/null | sort -h | tail -20"',
          on: 'cluster',
        },
        { say: 'Elasticsearch and OpenSearch: afterwards lift the write block (index.blocks.read_only_allow_delete: null)' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'postgresql src/backend/storage/file/fd.c',
    'mysql mysys/errors.cc',
    'elasticsearch DiskThresholdMonitor',
    'prometheus issues 7627, 8159',
    'kubernetes docs: expanding persistent volume claims',
  ],
});
