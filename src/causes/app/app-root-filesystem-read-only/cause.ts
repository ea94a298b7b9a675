import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, needs, proves } from '../../define-cause.ts';

const PATH = String.raw`\/(?!(?:proc|sys)\/)[^\s'"‘’\`:(),]{1,300}`;

const refused = line(
  ['read-only file system', 'No usable temporary directory found', 'Unable to create tempDir'],
  ['container-log', 'pod-status'],
  new RegExp(
    String.raw`EROFS: read-only file system, \w{1,20} ['"](?<node>${PATH})|\[Errno 30\] Read-only file system: ['"]?(?<python>${PATH})|(?:^|[\s"'‘\`(=])(?<path>${PATH})["'’\`]{0,2}[^\n/]{0,60}?Read-only file system(?!\?)|No usable temporary directory found in \[['"](?<tempfile>\/[^'"\s]{1,100})|Unable to create tempDir\. java\.io\.tmpdir is set to (?<tomcat>\/[^\s.]{1,200})|(?<bare>Read-only file system)(?!\?)`,
    'i',
  ),
);
/** What a database or store names so lies on its volume, and so does what the kubelet mounts. */
const dataFile = line(
  ['Read-only file system'],
  [],
  /(?:append[- ]only file|RDB file|pg_wal|postmaster\.pid|ibdata1|mongod\.lock|WiredTiger)[^\n]{0,160}?Read-only file system|MountVolume\.[^\n]{0,600}?Read-only file system/i,
);
/** These are read-only for whoever is not privileged, whatever the root file system is. */
const kernelSetting = line(['Read-only file system'], [], /\/(?:proc|sys)\/[^\s:]{1,200}: read-only file system/i);
const remounted = line(['Remounting filesystem read-only', 'Aborting journal on device', 'forced readonly'], []);

export const cause = defineCause({
  id: 'app-root-filesystem-read-only',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash'],

  text: {
    name: 'Root file system is read-only',
    title: '{container} must write {path}, but readOnlyRootFilesystem is set',
    why: 'The security context of {container} sets readOnlyRootFilesystem, so it can write only into mounted volumes. The program wants to write {path}, gets "Read-only file system" and ends; every replica does, on any node.',
  },

  clues: {
    set: needs('container.security', ({ readOnlyRoot }) => readOnlyRoot === true),
    refused: proves(refused, byContainers),
    dataFile: excludes(dataFile),
    kernelSetting: excludes(kernelSetting),
    remounted: excludes(remounted),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    set: 'readOnlyRootFilesystem is set',
    refused: 'it cannot write {path}: read-only file system',
    kernelSetting: 'what it cannot write is a setting of the kernel, which takes a privileged container',
    dataFile: 'what it cannot write is its data, which lies on a volume',
    remounted: 'the kernel has set the disk itself read-only after an error',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { refused: said }) => {
    const path = Object.values(said?.fields ?? {})[0];
    const known = path?.startsWith('/') === true ? path.replace(/[.,;]$/, '') : undefined;
    return {
      ...namesOf(place),
      named: place.name.includes(' ') ? '' : place.name,
      path: known ?? 'into its root file system',
      folder: known === undefined ? 'that folder' : known.replace(/(?<=.)\/[^/]*$/, ''),
    };
  },

  fixes: [
    {
      say: 'Give {container} a writable volume where it writes: an emptyDir at {folder}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'which folders it needs: usually /tmp, /run, /var/cache and its own',
          run: 'kubectl -n {{namespace}} logs {{target}} -c {{container}} --previous --tail=50',
          on: 'cluster',
        },
        {
          say: 'add an emptyDir volume and mount it there (in the pod template)',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} starts and its restart count stays the same',
    },
    {
      say: 'Or let the program write elsewhere, into a volume it already has',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'many programs take the folder from a flag or variable (TMPDIR, HOME, --cache-dir)',
          run: 'kubectl -n {{namespace}} set env {{target}} -c {{container}} TMPDIR=FOLDER',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Only if it must: remove readOnlyRootFilesystem',
      risk: 'restarts-pods',
      steps: [{ say: 'in the security context of the container', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      changes: [{ do: 'workload-set', container: '{{named}}', field: 'securityContext.readOnlyRootFilesystem', value: false }],
      verified: '{container} starts and its restart count stays the same',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes docs: security context', 'open(2), mkdir(2): EROFS'],
});
