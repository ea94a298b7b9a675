import {
  byContainers,
  byDaemons,
  defineCause,
  excludes,
  isWell,
  line,
  minutes,
  namesOf,
  ofPodsNamed,
  proves,
  supports,
} from '../../define-cause.ts';

const PATH = String.raw`\/(?!(?:dev|proc|sys)\/)[^\s'"‘’\`:(),]{1,300}`;

const denied = line(
  [
    'permission denied',
    'AccessDeniedException',
    'Wrong volume permissions',
    'is not writable',
    'wrong ownership',
    'file access denied',
    'drive access denied',
    'Unable to write to the backend',
    'insufficient permissions',
    'have write permissions for',
    'lock file on a read-only directory',
    'file_permission_error',
    'erlang.cookie: eacces',
    'lacking the privileges to fix it',
    'error number 13 in a file operation',
    'does not have the access rights to the directory',
    'OS errno 13 ',
    'Access to the path ',
    'must be writable',
    'contains root-owned files',
    'Failed to create cookie file',
    'attempt to write a readonly database',
    'errno = 0xD(13)',
    'system directory [/.system]',
    'Has no permission to create directory',
    'Failed to mkdirs /',
    'Failed to write PID file',
  ],
  'container-log',
  new RegExp(
    String.raw`^(?![\s\S]*?(?:fork\/exec|failed to provision volume|exec: |tini \(\d|\[dumb-init\]|unable to exec |su-exec: |exec user process|\bsh: (?![\s\S]{0,80}creat|(?:line )?\d{1,6}: (?:(?:\/[^\s:']{0,200})?\/\.[\w-][^\s:'/]{0,80}|\/[^\s:']{1,200}\.(?:log|conf|cfg|cnf|ini|json|ya?ml|pid|txt|key|pem|crt|db|lock|xml|properties|env)): )|connect: permission|publickey))(?:[\s\S]*?\[Errno 13\] Permission denied: (?:['"]?(?<python>${PATH})|['"](?<below>[\w-]{1,100}[/.][^'"\n]{1,300}))|[\s\S]*?EACCES: permission denied, (?:copyfile|rename|link|symlink) ['"][^'"\n]{1,300}['"] -> ['"](?<target>[^'"\n]{1,300})|[\s\S]*?EACCES: permission denied, \w{1,20} ['"](?<node>${PATH}|[\w.~@][^'"\n]{0,300})|[\s\S]*?AccessDeniedException(?:: |\[)(?<java>\/(?!(?:dev|proc|sys)\/)[^\s'"‘’\`:(),\]]{1,300})|[\s\S]*?nio\.file\.AccessDeniedException: (?<nio>[\w.][^\s:]{0,300})|[\s\S]*?FileNotFoundException: (?<log>[\w.][^\s(]{0,300}) \(Permission denied\)|[\s\S]*?Access to the path ['"](?<dotnet>[^'"\n]{1,300})['"] is denied|[\s\S]*?Permission denied @ \w{1,40} - (?<ruby>${PATH}|[\w.][^\s(]{0,300})|[\s\S]*?[Ff]ile '(?<mysql>[^'\n]{1,200})' [^\n]{0,40}?\(OS errno 13 - Permission denied\)|[\s\S]*?data file '(?<innodb>[^'\n]{1,200})' must be writable|[\s\S]*?(?<npm>cache folder contains root-owned files)|[\s\S]*?create cookie file '(?<cookie>[^'\n]{1,300})': eacces|[\s\S]*?(?:directory|file) \[(?<mssql>\/[^\]\n]{0,300})\] could not be (?:created|opened|written)\.[^\n]{0,120}?(?:errno = 0xD\(13\)|Error \[13\])|[\s\S]*?Has no permission to create directory (?<cass>${PATH})|[\s\S]*?Failed to mkdirs (?<mkdirs>${PATH})|[\s\S]*?Failed to write PID file [\\"]{1,4}(?<pid>\/[^\\"\n]{1,300})[\\"]{1,4}: permission denied|[\s\S]*?(?<sqlite>attempt to write a readonly database)|[\s\S]*?(?:^|[\s"'‘\`(=])(?<path>${PATH})["'’\`]{0,2}[^\n/]{0,60}?(?:Permission denied|is not writable|has wrong ownership|Wrong volume permissions)|[\s\S]*?Permission denied[^\n/]{0,40}["'‘\`](?<after>${PATH})|[\s\S]*?(?:cannot create (?:directory|regular file|file)|can't create (?:directory)?|cannot touch|cannot open|(?:^|[\s"'])(?:open|mkdir|create|unlink|rename|remove|chmod|stat|lstat)) ['‘\`"]?(?<relative>[\w.][^\s'"‘’\`:(),]{0,300})['’\`"]?: permission denied|[\s\S]*?tar: (?<tar>[^\s:][^\n:]{0,300}): Cannot (?:mkdir|open|write|unlink|create symlink to [^\n:]{1,200}): Permission denied|[\s\S]*?unable to \w{3,12} \((?<minio>${PATH})[^\n]{0,300}?file access denied|[\s\S]*?Unable to use the drive (?<drive>${PATH}): (?:drive|file) access denied|[\s\S]*?Unable to write to the backend|[\s\S]*?(?:Directory (?<cassandra>${PATH}) is not accessible by the DB|[Ii]nsufficient permissions on directory (?<folder>${PATH})|have write permissions for (?<write>${PATH}))|[\s\S]*?lock file on a read-only directory: (?<mongo>${PATH})|[\s\S]*?file_permission_error,[\\"]{1,8}(?<couch>\/[^\s\\"]{1,300})|[\s\S]*?(?<redis>append-only (?:dir|file)|RDB file)[^\n]{0,120}?: Permission denied|[\s\S]*?could not (?:open|create|write|access|stat|read)[^\n"]{0,40}"(?<postgres>[^"\n]{1,300})": Permission denied|[\s\S]*?(?:Operating system error number 13 in a file operation|does not have the access rights to the directory)|[\s\S]*?Can't create directory '(?<data>\/[^'\n]{1,300})' \(OS errno 13 |[\s\S]*?reading (?<erlang>${PATH}): eacces|[\s\S]*?fatal: (?<overlay>${PATH}) belongs to uid \d{1,10} instead of|[\s\S]*?failed to open (?:error_log|access\.log|slowlog) \((?<fpm>\/[^\s)]{1,200})\): Permission denied)`,
    'i',
  ),
);
const chown = line(
  'operation not permitted',
  'container-log',
  new RegExp(
    String.raw`(?:chown|chmod|changing ownership|change permissions|change ownership|set permissions)[^\n]{0,60}?["'‘\` ](?<path>${PATH})["'’\`]?[^\n]{0,40}?Operation not permitted|(?:chown|chmod): [^\n]{0,60}?['‘](?<relative>[^'’\n]{1,300})['’]: Operation not permitted|EPERM: operation not permitted, \w{1,20} ['"](?<node>${PATH})|(?:^|[\s"':])(?<wired>\/[^\s"':]{1,300}): handle-open: open(?:: |[^\n]{0,80}?)Operation not permitted|\[Errno 1\] Operation not permitted: ['"]?(?<python>${PATH})|Operation not permitted @ \w{2,40} - (?<ruby>${PATH})|FileSystemException: (?<java>${PATH}): Operation not permitted`,
    'i',
  ),
);
/** Even root is stopped here: it may pass by the mode of a file only with DAC_OVERRIDE or DAC_READ_SEARCH, and NFS makes it nobody. */
const chownStopped = line(
  ['permission denied'],
  'container-log',
  new RegExp(
    `(?:chown|chmod): (?:changing (?:ownership|permissions) of |cannot (?:access|read directory) )?['‘"]?(?<path>${PATH})['’"]?: Permission denied`,
    'i',
  ),
);
/** Some programs refuse files that others may read or write: a volume with fsGroup gives the group rights. */
const tooOpen = line(
  [
    'has group or world access',
    'has invalid permissions',
    'are too open',
    'must be accessible by owner only',
    'is world-writable',
    'World-writable config file',
    'Bad owner or permissions on',
    'bad permissions:',
    'without desired file permission',
    'must be owned by the user identifier',
    'can only be writable by the owner',
  ],
  ['container-log', 'control-plane-log'],
  /directory [\\"'‘]{1,8}(?<etcd>\/[^\\"'’\n]{1,300})[\\"'’]{1,8},[\\"'’\w-]{1,40} exist without desired file permission|(?:data directory|key file|file|directory) [\\"'‘]{1,4}(?<path>[^\\"'’\n]{1,300})[\\"'’]{1,4} has (?:group or world access|invalid permissions)|Permissions 0\d{3} for [\\"'‘]?(?<key>[^\\"'’\n]{1,300}?)[\\"'’]? are too open|permissions \d{3} for (?<acme>\/\S{1,300}) are too open|permissions on (?<mongo>\/\S{1,300}) are too open|[Cc]ookie file (?<cookie>\S{1,300}) must be accessible by owner only|World-writable config file [\\"'‘](?<config>[^\\"'’\n]{1,300})|(?:^|[\s\\"'‘])(?<world>\/[^\s\\"'’]{1,300})[\\"'’]{0,4} is world-writable|Bad owner or permissions on (?<ssh>\S{1,300})|bad permissions: (?<bad>\/\S{1,300})|config file \([\\"]{1,4}(?<beat>[^\\"\n]{1,300})[\\"]{1,4}\) (?:must be owned by|can only be writable by)/,
);
/** SQLite and Prometheus say no more when the folder is missing or may not be written. */
const cannotOpen = line(
  ['unable to open database file', 'Unable to create mmap-ed active query log'],
  'container-log',
  /unable to open database file(?:: (?<path>\/[^\s"':]{1,300}))?|Unable to create mmap-ed active query log/,
);
const readOnly = line(
  ['read-only file system'],
  'container-log',
  new RegExp(
    String.raw`EROFS: read-only file system, \w{1,20} ['"](?<node>${PATH})|\[Errno 30\] Read-only file system: ['"]?(?<python>${PATH})|(?:^|[\s"'‘\`(=])(?<path>${PATH})["'’\`]{0,2}[^\n/]{0,60}?Read-only file system(?!\?)|(?<bare>Read-only file system)(?!\?)`,
    'i',
  ),
);
const ofDaemon = line(
  ['permission denied', 'operation not permitted', 'read-only file system'],
  ['container-log', 'pod-events', 'kubelet-log', 'containerd-log', 'docker-log'],
);
/** Calico installs its plugin on the host; what stops it there is a fault of the node. */
const ofCalico = line(
  ['/host/opt/cni/bin', '/host/etc/cni/net.d', '/host/driver'],
  [],
  /\/host\/(?:opt\/cni\/bin|etc\/cni\/net\.d|driver)[^\n:]{0,200}: (?:permission denied|read-only file system)/i,
);

/** Complaints that do not say where. */
const UNNAMED: Readonly<Record<string, string>> = {
  'read-only file system': 'its folder',
  'cache folder contains root-owned files': 'the cache of npm (~/.npm)',
  'attempt to write a readonly database': 'its database file (SQLite)',
  '/.system': 'its folder /var/opt/mssql (SQL Server, user 10001)',
  'append-only file': 'its append-only file (Redis)',
  'append-only dir': 'the folder of its append-only files (Redis)',
  'rdb file': 'its RDB file (Redis)',
};

export const cause = defineCause({
  id: 'app-filesystem-permission',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash'],
  effectOf: [
    'fsgroup-change-refused',
    'app-root-filesystem-read-only',
    'filesystem-corrupt-or-readonly',
    'selinux-denies-volume-or-iscsi',
    'selinux-relabel-or-type',
  ],

  text: {
    name: 'May not write its files',
    title: '{container} {verb} {path}: {error}',
    why: '{container} runs as {user}, and {path} {belongs}. The program cannot create or open what it needs there and ends; every replica with the same security context and volume does.',
  },

  clues: {
    denied: proves(denied, byContainers),
    chown: proves(chown, byContainers),
    chownStopped: supports(chownStopped, byContainers),
    tooOpen: proves(tooOpen, byContainers),
    cannotOpen: supports(cannotOpen, byContainers),
    readOnly: proves(readOnly, byContainers),
    nonRoot: supports('container.security', ({ runAsUser, runAsNonRoot }) => (runAsUser ?? 0) > 0 || runAsNonRoot === true),
    readOnlyRoot: supports('container.security', ({ readOnlyRoot: set }) => set === true),
    claim: supports('pod.volume', ({ type }) => /PersistentVolumeClaim|HostPath|NFS/i.test(type)),
    denial: excludes('kernel.denial'),
    ofCalico: excludes(ofCalico, ofPodsNamed(/calico|canal/)),
    ofDaemon: excludes(ofDaemon, (fact) => fact.channel === 'pod-events' || byDaemons(fact)),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    denied: 'it may not use {path}: permission denied',
    chown: 'it may not change the owner or mode of {path}',
    chownStopped: 'it only wants to change the owner of {path}, and may not even reach it',
    tooOpen: 'it refuses {path}, since others than its owner have access to it',
    cannotOpen: 'SQLite cannot open its file: the folder is missing or may not be written',
    readOnly: '{path} is on a read-only file system',
    nonRoot: 'it does not run as root: {user}',
    readOnlyRoot: 'readOnlyRootFilesystem is set: only mounted volumes can be written',
    claim: 'it mounts {volume}, whose files keep the owner they have there',
    denial: 'a security module (SELinux, AppArmor) refuses, not the file mode',
    ofCalico: 'Calico cannot install its plugin in a folder of the host',
    ofDaemon: 'a daemon of the node says it, not the container',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { denied: no, chown: owner, chownStopped: stopped, tooOpen: open, readOnly: ro, nonRoot, claim }) => {
    const path = Object.values((no ?? owner ?? open ?? ro)?.fields ?? {})[0];
    const isOpen = !no && !owner && open !== undefined;
    const isReadOnly = !no && !owner && !open && ro !== undefined;
    const uid = nonRoot?.runAsUser;
    return {
      ...namesOf(place),
      path: path === undefined ? 'its folder' : (UNNAMED[path.toLowerCase()] ?? path.replace(/[.,;]$/, '')),
      verb: isOpen
        ? 'refuses to use'
        : stopped || (!no && owner?.fields['node'] === undefined && owner)
          ? 'may not change the owner of'
          : 'may not write',
      error: isOpen
        ? 'its permissions are too wide (group or world access)'
        : isReadOnly
          ? 'read-only file system'
          : owner && !no
            ? 'operation not permitted'
            : 'permission denied',
      user: uid ? `user ${uid}` : nonRoot ? 'a user other than root' : 'a user without the right',
      uid: uid ?? 'UID',
      groupField: isReadOnly || isOpen ? '' : 'securityContext.fsGroup',
      volume: claim ? `volume ${claim.name}${claim.source ? ` (${claim.source})` : ''}` : 'a volume',
      belongs: isOpen
        ? 'has a mode the program does not accept: fsGroup, a Windows or NFS share, or a copied volume gave the group or everybody access; the program wants 0700 or 0600 (set defaultMode, or chmod it in an init container)'
        : isReadOnly
          ? 'is on a read-only file system (readOnlyRootFilesystem, a volume mounted readOnly, a ConfigMap or Secret)'
          : stopped
            ? 'belongs to another user: a container that sets owners must be root and keep the capabilities CHOWN, FOWNER and DAC_OVERRIDE (a chart or policy drops ALL and gives back too few), and NFS with root_squash stops even that'
            : 'belongs to another user: a volume without fsGroup, a host folder owned by root, NFS with root_squash, or a folder of the image made for root',
    };
  },

  fixes: [
    {
      say: 'See who owns {path} and as whom {container} runs',
      risk: 'reads-only',
      steps: [
        {
          say: 'security context, mounts and volumes',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A8 'securityContext:|volumeMounts:|volumes:'",
          on: 'cluster',
        },
        {
          say: 'a disk that the kernel has made read-only, or a denial',
          run: "journalctl -k | grep -iE 'remount|read-only|denied' | tail -20",
          on: 'node',
        },
      ],
    },
    {
      say: 'Give the volume to the user of {container}: fsGroup, or an emptyDir for a folder of the image',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a volume: set fsGroup in the securityContext of the pod to the group of the program',
          run: `kubectl -n {{namespace}} patch {{target}} --type merge -p '{"spec":{"template":{"spec":{"securityContext":{"fsGroup":{{uid}},"fsGroupChangePolicy":"OnRootMismatch"}}}}}'`,
          on: 'cluster',
        },
        {
          say: 'hostPath and NFS ignore fsGroup: chown the folder to the user ({user}) once, on the host or in an init container run as root; an NFS server that squashes root refuses that too: do it on the server, or export with no_root_squash',
          run: 'chown -R {{uid}}:{{uid}} PATH',
          on: 'node',
        },
        {
          say: 'a read-only root, or a folder of the image: mount an emptyDir at {path}',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          field: '{{groupField}}',
          value: { ask: 'group', says: 'the number of the group that the program runs with, such as 1000' },
        },
      ],
      verified: '{container} writes to {path} and stays up',
    },
    {
      say: 'If an init container only sets the owner: switch it off where fsGroup does that work, or give it the capabilities it needs',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'in the values of the chart (Grafana: initChownData.enabled=false; Bitnami: volumePermissions.enabled=false)',
          run: 'helm -n {{namespace}} get values RELEASE --all | grep -niE -A6 "chown|volumePermissions"',
          on: 'cluster',
        },
        { say: 'or in its securityContext: runAsUser: 0 and capabilities.add: [CHOWN, FOWNER, DAC_OVERRIDE]' },
      ],
      verified: 'the init container ends with exit code 0',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['open(2), mkdir(2) EACCES, EROFS; chown(2) EPERM', 'kubernetes pkg/volume/volume_linux.go (SetVolumeOwnership)'],
});
