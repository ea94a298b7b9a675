import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, supports } from '../../define-cause.ts';

const gaveUp = line(
  [
    'all log dirs in ',
    'Stopping serving logs in dir',
    'Failed to create or validate data directory',
    'MISCONF Redis is configured',
    'MISCONF Valkey is configured',
    'MISCONF Errors writing to the AOF',
    'Background saving error',
    "Can't save in background: fork",
    'Write error writing append only file',
    'drive is faulty',
    'drive may be faulty',
    'Unable to use the drive',
    'Insufficient number of drives online',
    'drives to come online',
    'disk failure policy',
    'Operating system error number 5 in a file operation',
    'disk_fault',
    'disk resource limit alarm set',
  ],
  ['container-log', 'prose', 'pod-status'],
  /(?<kafka>[Ss]hutdown broker because all log dirs in (?<logs>[^\s,]{1,300})[^\n]{0,200}? have failed|Stopping serving logs in dir (?<dir>\S{1,300})|Failed to create or validate data directory (?<made>\S{1,300}))|(?<redis>MISCONF (?:Redis|Valkey) is configured to save RDB snapshots|MISCONF Errors writing to the AOF file(?:: [^\n.]{1,120})?|Background saving error|Can't save in background: fork: [^\n]{1,80}|Write error writing append only file[^\n]{0,80})|(?<minio>(?:Drive (?<drive>\S{1,300}) [^\n]{0,200}?)?drive (?:is|may be) faulty|Unable to use the drive (?<unused>[^\s,]{1,300}?)(?:: [^\n]{1,120})?(?=\n|$)|Insufficient number of drives online|minimum of \d{1,5} (?:drives|disks) to come online)|(?<cassandra>(?:Exiting|Stopping) [^\n]{0,80}?disk failure policy[^\n]{0,60})|(?<innodb>Operating system error number 5 in a file operation)|(?<rabbit>disk resource limit alarm set on node \S{1,100})/,
);

export const cause = defineCause({
  id: 'app-data-volume-fails',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],
  effectOf: [
    'app-data-damaged',
    'app-data-folder-locked',
    'app-filesystem-permission',
    'app-kernel-setting-too-low',
    'app-root-filesystem-read-only',
    'ceph-cluster-unhealthy',
    'data-volume-full',
    'disk-io-error',
    'evicted-disk-pressure',
    'filesystem-corrupt-or-readonly',
    'fuse-mount-dead',
    'longhorn-volume-not-ready',
    'nfs-server-unreachable',
    'oom-container-limit',
  ],

  text: {
    name: 'Program cannot use its data volume',
    title: '{container} cannot read or write its data volume {path}: {error}',
    why: 'A store stops, or refuses writes, when the folder of its data fails under it. Here it says "{error}". That line does not tell why; the ones before it do. Most often the volume is full, it belongs to another user (permission denied), its file system turned read-only or gives I/O errors after the storage was away, or there is something in the folder that does not belong there. For a Redis that cannot fork to save, it is the memory of the container or vm.overcommit_memory of the node.',
  },

  clues: {
    gaveUp: supports(gaveUp, byContainers),
    well: excludes('pod.status', isWell),
  },
  says: {
    gaveUp: 'the program gives its data folder up: {error}',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { gaveUp: said }) => {
    const fields = said?.fields ?? {};
    const names = namesOf(place);
    return {
      ...names,
      error: (
        fields['kafka'] ??
        fields['redis'] ??
        fields['minio'] ??
        fields['cassandra'] ??
        fields['innodb'] ??
        fields['rabbit'] ??
        'its data folder fails'
      ).slice(0, 160),
      path: fields['logs'] ?? fields['dir'] ?? fields['made'] ?? fields['drive'] ?? fields['unused'] ?? '(see its log)',
    };
  },

  fixes: [
    {
      say: 'Read what stands before that line, and look at the volume from inside',
      risk: 'reads-only',
      steps: [
        {
          say: 'the first error: no space left, permission denied, read-only file system or input/output error',
          run: "kubectl -n {{namespace}} logs {{target}} -c {{container}} --tail=300 | grep -iE 'error|denied|space|read-only|exception' | head -20",
          on: 'cluster',
        },
        {
          say: 'room and owner of its folders',
          run: 'kubectl -n {{namespace}} exec {{target}} -c {{container}} -- sh -c \'id; df -h; df -i; mount | grep -vE "proc|sys|cgroup"\'',
          on: 'cluster',
        },
        { say: 'what the kernel says about the disk', run: 'dmesg -T | grep -iE "I/O error|EXT4-fs|XFS|nfs:" | tail -20', on: 'node' },
      ],
    },
    {
      say: 'Mend the volume: enlarge or clear it, give it to the user of the program (fsGroup), or mount it anew after an I/O error',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'full: enlarge the claim, where its class allows that',
          run: 'kubectl -n {{namespace}} get pvc',
          on: 'cluster',
        },
        {
          say: 'read-only since the storage was away: a new pod mounts it again',
          run: 'kubectl -n {{namespace}} rollout restart {{target}}',
          on: 'cluster',
        },
        {
          say: 'Redis that cannot fork: raise its memory limit to twice its data, and vm.overcommit_memory=1 on the node',
          run: 'sysctl vm.overcommit_memory',
          on: 'node',
        },
      ],
      verified: 'the program starts and writes its data',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'apache/kafka core/src/main/scala/kafka/log/LogManager.scala (handleLogDirFailure)',
    'redis src/server.c (shared.bgsaveerr)',
    'minio cmd/storage-errors.go (errFaultyDisk)',
  ],
});
