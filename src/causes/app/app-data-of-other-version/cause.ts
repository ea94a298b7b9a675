import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const postgres = line(
  ['The data directory was initialized by PostgreSQL version', 'database files are incompatible with server'],
  'container-log',
  /initialized by PostgreSQL version (?<data>[\d.]{1,12}), which is not compatible with this version (?<program>[\d.]{1,12}\w{0,12})|database files are incompatible with server/,
);
const others = line(
  [
    "Can't handle RDB format version",
    'featureCompatibilityVersion',
    'cannot upgrade a node from version',
    'cannot downgrade a node from version',
    'Invalid MySQL server upgrade',
    'Invalid MySQL server downgrade',
    'Cannot boot server version',
    'Cannot downgrade from',
    'Cluster upgrade from version',
    'Database was upgraded to a more recent version',
    'Unsupported redo log format',
    'was created with a newer version',
    'found backend type',
    'Unsupported backend format [',
    'Unknown backend format version',
    'redo log was created with',
    'Upgrade after a crash is not supported',
    'required feature flag not enabled',
    'in 18+, these Docker images are configured to store database data',
    'there appears to be PostgreSQL data in',
    'but the minimum compatible version is',
    'unsupported WiredTiger file version',
    'because the version of the data (',
    'is for a newer Gitea',
    'is for a newer Forgejo',
    'cannot be run on a data directory',
    'does not match the required mandatory version',
    'the database files require upgrading',
    'It seems you are upgrading from major version',
    'It is required to upgrade to the latest',
  ],
  'container-log',
  /(?<error>version of the data \([\w.]{0,20}\) is (?:higher than|more than one major version behind) the docker image version \([\w.]{0,20}\)|Your database \(migration version: \d{1,6}\) is for a newer (?:Gitea|Forgejo)|server v?[\w.-]{1,20} cannot be run on a data directory (?:from|version)[^\n]{0,40}|database version \(\d{1,12}\)[^\n]{0,60}? does not match the required mandatory version:? ?\d{0,12}|the database files require upgrading and upgrades are disabled|upgrading from major version \d{1,3} to major version \d{1,3}|It is required to upgrade to the latest [\w.]{1,12} version first|unsupported WiredTiger file version: [^\n"]{3,120}|Can't handle RDB format version \d{1,4}|UPGRADE PROBLEM: (?=[^\n]{0,300}featureCompatibilityVersion)[^\n]{3,160}|[Ii]nvalid (?:value for )?featureCompatibilityVersion[^\n]{0,80}|cannot (?:up|down)grade a node from version \[?[\w.]{1,20}\]?(?: directly)? to version \[?[\w.]{1,20}|Invalid MySQL server (?:up|down)grade: [^\n]{3,120}|Cannot boot server version \d{1,8} on data directory built by version \d{1,8}|Cannot downgrade from \S{1,20} to \S{1,20}|Database was upgraded to a more recent version|Unsupported redo log format[^\n]{0,80}|was created with a newer version of [^\n]{2,60}|Unsupported backend format \[\w{1,20}\]|found backend type \w{1,20}, expected [\w-]{1,20}(?: or [\w-]{1,20})?|Unknown backend format version|in 18\+, these Docker images are configured to store database data|there appears to be PostgreSQL data in|[Tt]he index \[[^\n]{1,160}? was created with version \[[\w.]{1,20}\] but the minimum compatible version is \[[\w.]{1,20}|[Tt]h(?:is|e) redo log was created with (?:MySQL|MariaDB|Percona|Backup)? ?[\w.-]{1,40}|Upgrade after a crash is not supported|required feature flag not enabled! It must be enabled before upgrading RabbitMQ)/,
);
/** Printed after any failure to open the files: rights and file systems that cannot do it end the same way. */
const tried = line(
  ['Failed to start up WiredTiger under any compatibility version'],
  'container-log',
  /Failed to start up WiredTiger under any compatibility version/,
);
const cannotOpen = line(
  ['handle-open: open', 'Operation not permitted', 'Operation not supported'],
  [],
  /handle-open: open[^\n]{0,120}(?:Operation not permitted|Permission denied|Input\/output error)|reason[":= ]{1,4}\d{1,3}: (?:Operation not (?:permitted|supported)|Permission denied)/,
);
/** PostgreSQL compares more than the version, and begins with the same words. */
const builtOtherwise = line(
  ['The database cluster was initialized with', 'The database cluster appears to use'],
  [],
  /The database cluster (?:was initialized with(?:out)? (?!PG_CONTROL_VERSION|CATALOG_VERSION)|appears to use a different)/,
);
const claim = supports('pod.volume', ({ type }) => /PersistentVolumeClaim/i.test(type));
const migrates = line(
  ['Data upgrade from', 'Performing Consistency Checks', 'Finished upgrading', 'pg_upgrade'],
  [],
  /Server upgrade from '\d{1,8}' to '\d{1,8}' completed|Finished upgrading|Upgrade Complete/,
);

export const cause = defineCause({
  id: 'app-data-of-other-version',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'Data of another version',
    title: '{container} refuses its data: the files were written by another version of the program ({error})',
    why: 'A database writes its files in the format of its version and reads only its own or that of the version before. Here the volume holds data of another one ({error}): the image tag went up by more than one major version (often "latest" or a new chart), went back to an older one, or the claim of an earlier installation was taken up again. So {container} ends at every start, and the data is whole.',
  },

  clues: {
    postgres: proves(postgres, byContainers),
    others: proves(others, byContainers),
    tried: supports(tried, byContainers),
    claim,
    migrates: excludes(migrates),
    builtOtherwise: excludes(builtOtherwise),
    cannotOpen: excludes(cannotOpen),
    well: excludes('pod.status', isWell),
  },
  says: {
    postgres: 'PostgreSQL finds the files of another version: {error}',
    others: 'the program finds data in a format of another version: {error}',
    tried: 'no format version it knows opens the files',
    claim: 'it mounts {volume}',
    cannotOpen: 'it may not or cannot open the files at all',
    builtOtherwise: 'the files were made by a program built with other settings',
    migrates: 'the data has been brought to this version since',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { postgres: files, others: said, claim: mounted }) => ({
    ...namesOf(place),
    error:
      files === undefined
        ? (said?.fields['error'] ?? 'another format').trim()
        : files.fields['data']
          ? `data of version ${files.fields['data']}, program ${files.fields['program'] ?? 'of another'}`
          : 'database files are incompatible with server',
    volume: mounted ? `volume ${mounted.name}${mounted.source ? ` (${mounted.source})` : ''}` : 'a volume',
  }),

  fixes: [
    {
      say: 'See which image runs now and which ran before',
      risk: 'reads-only',
      steps: [
        { say: 'image of the container', run: 'kubectl -n {{namespace}} get {{target}} -o yaml | grep -n "image:"', on: 'cluster' },
        { say: 'earlier revisions', run: 'kubectl -n {{namespace}} rollout history {{target}}', on: 'cluster' },
      ],
    },
    {
      say: 'Go back to the version that wrote the data, and name it in full instead of "latest"',
      risk: 'restarts-pods',
      steps: [{ say: 'the revision before', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' }],
      changes: [{ do: 'rollout-undo' }],
      verified: 'the database starts and finds its data',
    },
    {
      say: 'postgres 18 and later: mount the volume at /var/lib/postgresql instead of /var/lib/postgresql/data (each version has a folder of its own there), and move old data by pg_upgrade',
      risk: 'reads-only',
      for: ['postgres'],
      steps: [
        {
          say: 'where the volume is mounted now',
          run: 'kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE "mountPath|PGDATA" -A1',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Then upgrade step by step as its manual tells: back up, dump and restore, or the upgrade program (pg_upgrade, one major version at a time)',
      risk: 'may-lose-data',
      steps: [
        { say: 'keep a copy (a VolumeSnapshot) before each step', run: 'kubectl -n {{namespace}} get pvc,volumesnapshot', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'postgres src/backend/utils/init/miscinit.c (ValidatePgVersion)',
    'redis src/rdb.c',
    'nextcloud/docker docker-entrypoint.sh; gitea models/migrations/migrations.go',
    'mysql-server sql/dd/upgrade',
    'elasticsearch server/src/main/java/org/elasticsearch/env/NodeMetadata.java',
    'mongo src/mongo/db/commands/feature_compatibility_version_parser.cpp',
  ],
});
