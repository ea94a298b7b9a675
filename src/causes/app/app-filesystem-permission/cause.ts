import { byContainers, byDaemons, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const PATH = String.raw`\/(?!(?:dev|proc|sys)\/)[^\s'"‘’\`:(),]{1,300}`;

const denied = line(
  ['permission denied', 'AccessDeniedException', 'Wrong volume permissions', 'is not writable', 'wrong ownership'],
  'container-log',
  new RegExp(
    String.raw`^(?![\s\S]*?(?:fork\/exec|exec: |exec user process|\bsh: (?![\s\S]{0,80}creat)|connect: permission|publickey))(?:[\s\S]*?\[Errno 13\] Permission denied: ['"]?(?<python>${PATH})|[\s\S]*?EACCES: permission denied, \w{1,20} ['"](?<node>${PATH})|[\s\S]*?AccessDeniedException: (?<java>${PATH})|[\s\S]*?(?:^|[\s"'‘\`(=])(?<path>${PATH})["'’\`]{0,2}[^\n/]{0,60}?(?:Permission denied|is not writable|has wrong ownership|Wrong volume permissions)|[\s\S]*?Permission denied[^\n/]{0,40}["'‘\`](?<after>${PATH}))`,
    'i',
  ),
);
const chown = line(
  'operation not permitted',
  'container-log',
  new RegExp(
    String.raw`(?:chown|chmod|changing ownership|change permissions|change ownership|set permissions)[^\n]{0,60}?["'‘\` ](?<path>${PATH})["'’\`]?[^\n]{0,40}?Operation not permitted`,
    'i',
  ),
);
const readOnly = line(
  ['read-only file system'],
  'container-log',
  new RegExp(
    String.raw`EROFS: read-only file system, \w{1,20} ['"](?<node>${PATH})|\[Errno 30\] Read-only file system: ['"]?(?<python>${PATH})|(?:^|[\s"'‘\`(=])(?<path>${PATH})["'’\`]{0,2}[^\n/]{0,60}?Read-only file system|(?<bare>Read-only file system)`,
    'i',
  ),
);
const ofDaemon = line(
  ['permission denied', 'operation not permitted', 'read-only file system'],
  ['container-log', 'pod-events', 'kubelet-log', 'containerd-log', 'docker-log'],
);

export const cause = defineCause({
  id: 'app-filesystem-permission',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash'],
  effectOf: [
    'app-root-filesystem-read-only',
    'filesystem-corrupt-or-readonly',
    'selinux-denies-volume-or-iscsi',
    'selinux-relabel-or-type',
  ],

  text: {
    name: 'May not write its files',
    title: '{container} may not write {path}: {error}',
    why: '{container} runs as {user}, and {path} {belongs}. The program cannot create or open what it needs there and ends; every replica with the same security context and volume does.',
  },

  clues: {
    denied: proves(denied, byContainers),
    chown: proves(chown, byContainers),
    readOnly: proves(readOnly, byContainers),
    nonRoot: supports('container.security', ({ runAsUser, runAsNonRoot }) => (runAsUser ?? 0) > 0 || runAsNonRoot === true),
    readOnlyRoot: supports('container.security', ({ readOnlyRoot: set }) => set === true),
    claim: supports('pod.volume', ({ type }) => /PersistentVolumeClaim|HostPath|NFS/i.test(type)),
    denial: excludes('kernel.denial'),
    ofDaemon: excludes(ofDaemon, (fact) => fact.channel === 'pod-events' || byDaemons(fact)),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    denied: 'it may not use {path}: permission denied',
    chown: 'it may not change the owner or mode of {path}',
    readOnly: '{path} is on a read-only file system',
    nonRoot: 'it does not run as root: {user}',
    readOnlyRoot: 'readOnlyRootFilesystem is set: only mounted volumes can be written',
    claim: 'it mounts {volume}, whose files keep the owner they have there',
    denial: 'a security module (SELinux, AppArmor) refuses, not the file mode',
    ofDaemon: 'a daemon of the node says it, not the container',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { denied: no, chown: owner, readOnly: ro, nonRoot, claim }) => {
    const path = Object.values((no ?? owner ?? ro)?.fields ?? {})[0];
    const isReadOnly = !no && !owner && ro !== undefined;
    const uid = nonRoot?.runAsUser;
    return {
      ...namesOf(place),
      path: path?.startsWith('/') ? path.replace(/[.,;]$/, '') : 'its folder',
      error: isReadOnly ? 'read-only file system' : owner && !no ? 'operation not permitted' : 'permission denied',
      user: uid ? `user ${uid}` : nonRoot ? 'a user other than root' : 'a user without the right',
      uid: uid ?? 'UID',
      volume: claim ? `volume ${claim.name}${claim.source ? ` (${claim.source})` : ''}` : 'a volume',
      belongs: isReadOnly
        ? 'is on a read-only file system (readOnlyRootFilesystem, a volume mounted readOnly, a ConfigMap or Secret)'
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
          say: 'hostPath and NFS ignore fsGroup: chown the folder to the user ({user}) once, on the host or in an init container run as root',
          run: 'chown -R {{uid}}:{{uid}} PATH',
          on: 'node',
        },
        {
          say: 'a read-only root, or a folder of the image: mount an emptyDir at {path}',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} writes to {path} and stays up',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['open(2), mkdir(2) EACCES, EROFS; chown(2) EPERM', 'kubernetes pkg/volume/volume_linux.go (SetVolumeOwnership)'],
});
