import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves } from '../../define-cause.ts';

/** A run before was cut off and left its lock in the database. */
const locked = line(
  [
    'Could not acquire change log lock',
    'Waiting for changelog lock',
    'Migration table is already locked',
    'MigrationLocked',
    "can't acquire lock",
    'acquire a postgres advisory lock',
  ],
  'container-log',
  /(?<error>Could not acquire change log lock(?:\. Currently locked by [^\n]{1,100})?|Waiting for changelog lock|Migration table is already locked|MigrationLocked(?:Error)?|error: can't acquire lock|Timed out trying to acquire a postgres advisory lock)/,
);
const failed = line(
  [
    'encountered an exception',
    'Migration failed for change',
    'change sets check sum',
    'Migration checksum mismatch',
    'Validate failed: Migrations have failed validation',
    'Detected failed migration to version',
    'Detected resolved migration not applied',
    'Detected applied migration not resolved locally',
    "Can't locate revision identified by",
    'InconsistentMigrationHistory',
    'Conflicting migrations detected',
    'PendingMigrationError',
    'Migrations are pending',
    'migrate found failed migrations',
    'A migration failed to apply',
    'The database schema is not empty',
    'Found non-empty schema',
    'no migration found for version',
    'Failed to update database',
    'StandardError: An error has occurred, this and all later migrations canceled',
  ],
  'container-log',
  /(?<error>ChangeSet \S{1,200} encountered an exception|Migration failed for change ?set \S{1,200}|\d{1,5} change sets check sum|Migration checksum mismatch for migration version \S{1,40}|Validate failed: Migrations have failed validation|Detected failed migration to version \S{1,40}|Detected (?:resolved migration not applied to database|applied migration not resolved locally): \S{1,40}|Can't locate revision identified by '[\w-]{1,60}'|InconsistentMigrationHistory|Conflicting migrations detected|ActiveRecord::PendingMigrationError|Migrations are pending|migrate found failed migrations|A migration failed to apply|The database schema is not empty|Found non-empty schema[^\n]{0,80}?(?: without| but no) (?:schema|metadata)[^\n]{0,40}|no migration found for version \d{1,20}|RuntimeException: Failed to update database|An error has occurred, this and all later migrations canceled)/,
);
/** Others run the migrations: a Job of the chart, often a hook. */
const notRun = line(
  [
    'There are still unapplied migrations',
    'schema version compatibility check failed',
    'Not all services were operational, with data migrations',
    'Database has not been initialized yet',
  ],
  'container-log',
  /(?<error>There are still unapplied migrations after \d{1,6} seconds|schema version compatibility check failed[^\n]{0,120}|Not all services were operational, with data migrations completed|Database has not been initialized yet)/,
);
const done = line(
  ['Liquibase command', 'Successfully applied', 'is up to date. No migration necessary', 'Successfully acquired change log lock'],
  [],
  /Liquibase command '\w{1,20}' was executed successfully|Successfully applied \d{1,5} migration|is up to date\. No migration necessary|Successfully acquired change log lock/,
);

export const cause = defineCause({
  id: 'app-database-migration-fails',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],
  effectOf: ['liveness-probe-kills-slow-app', 'startup-probe-exhausted', 'oom-container-limit'],

  text: {
    name: 'Database migration fails',
    title: '{container} {does}: {error}',
    why: 'The program of {container} changes the tables of its database when it starts, one migration after another, and keeps a record of those that ran. Here {reason}: {error}. It ends rather than work with half a schema, and every start finds the same record.',
  },

  clues: {
    locked: proves(locked, byContainers),
    failed: proves(failed, byContainers),
    notRun: proves(notRun, byContainers),
    done: excludes(done),
    well: excludes('pod.status', isWell),
  },
  says: {
    locked: 'the lock of the migrations is taken: {error}',
    failed: 'a migration failed, or the record does not fit: {error}',
    notRun: 'it waited for migrations that nobody has run: {error}',
    done: 'the migrations have run since',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { locked: held, failed: broke, notRun: awaited }) => ({
    ...namesOf(place),
    error: (held?.fields['error'] ?? broke?.fields['error'] ?? awaited?.fields['error'] ?? 'a migration failed').slice(0, 160),
    does: held || broke ? 'cannot bring its database to its version' : 'waits in vain for its database to be brought to its version',
    reason: held
      ? 'the lock that lets only one instance do so is still taken: several replicas start at once, or an earlier pod was killed in the middle (by a liveness probe that did not wait, or for lack of memory) and left the lock behind'
      : broke
        ? 'a migration fails, or the record in the database and the migrations in the image do not fit together (an older image, a migration that was changed afterwards, tables made by hand, rights or a setting of the database that forbid a statement)'
        : 'another program has to run them, usually a Job of the chart, and it has not: the Job failed, or it is a hook (post-install) that helm --wait, Argo CD or Flux starts only when all pods are ready, for which these pods wait in turn',
  }),

  fixes: [
    {
      say: 'Read the statement that failed, further up in its log, and see whether other pods migrate too',
      risk: 'reads-only',
      steps: [
        { say: 'the log of the run that failed', run: 'kubectl -n {{namespace}} logs {{target}} --previous --tail=100', on: 'cluster' },
        { say: 'other replicas and migration Jobs', run: 'kubectl -n {{namespace}} get pods,jobs', on: 'cluster' },
      ],
    },
    {
      say: 'It waits for a Job that was never made: let the Job run before or beside the pods, not as a hook after them (Airflow: migrateDatabaseJob.useHelmHooks=false and createUserJob.useHelmHooks=false), or install without --wait',
      risk: 'restarts-pods',
      steps: [
        { say: 'is there a migration Job, and how did it end?', run: 'kubectl -n {{namespace}} get jobs', on: 'cluster' },
        {
          say: 'hooks of the release: a Job with post-install or post-upgrade waits for ready pods',
          run: "helm -n {{namespace}} get hooks RELEASE | grep -nE 'kind: Job|helm.sh/hook|name:'",
          on: 'cluster',
        },
      ],
      verified: 'the migration Job completes, and {container} starts',
    },
    {
      say: 'If it came with a new image, go back to the one before, unless its migrations have already changed the tables',
      risk: 'restarts-pods',
      steps: [{ say: 'undo the rollout', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' }],
      changes: [{ do: 'rollout-undo' }],
      verified: '{container} starts with the schema that is there',
    },
    {
      say: 'A lock nobody holds any more: make sure that no pod migrates, then release it with the tool (liquibase releaseLocks, knex migrate:unlock); give the start time (a startup probe) so that it is not killed again',
      risk: 'may-lose-data',
      steps: [{ say: 'stop all replicas first', run: 'kubectl -n {{namespace}} scale {{target}} --replicas=0', on: 'cluster' }],
    },
    {
      say: 'A migration that failed half-way: back up, undo or finish it by hand, then mark it (flyway repair, prisma migrate resolve, alembic stamp)',
      risk: 'may-lose-data',
      steps: [{ say: 'keep a copy first', run: 'kubectl -n {{namespace}} get pvc,volumesnapshot', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'liquibase lockservice/StandardLockService.java, changelog/ChangeSet.java',
    'flyway core/internal/command/DbMigrate.java, DbValidate.java',
    'alembic script/revision.py; django db/migrations; prisma error reference P3005, P3009, P3018',
  ],
});
