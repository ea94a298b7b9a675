import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves } from '../../define-cause.ts';

const absent = line(
  [
    'does not exist',
    "doesn't exist",
    'Unknown database',
    'no such table',
    'no such column',
    'Unknown column',
    'Invalid object name',
    'ORA-00942',
    'Dirty database version',
    'pending migration',
    'unapplied migration',
    'Migration failed',
    'New migrations available',
    'Database needs bootstrapping',
    'Schema-validation: missing',
    'You need to initialize the database',
  ],
  ['container-log', 'prose', 'pod-status'],
  /(?<kind>relation|database|role|schema|type|function|table|column) [\\"“'`]{1,3}(?<name>[\w.$-]{1,120})[\\"”'`]{1,3} does not exist|Table '(?<table>(?!mysql\.)[\w.$-]{1,120})' doesn't exist|Unknown (?:database|column) '(?<mysql>[\w.$-]{1,120})'|no such (?:table|column): (?<sqlite>[\w.$-]{1,120})|Invalid object name '(?<mssql>[^'\n]{1,120})'|(?<oracle>ORA-00942)|Dirty database version (?<dirty>\d{1,20})|(?:have|has|are) (?<count>\d{1,5}) (?:pending|unapplied) migration|(?<kong>New migrations available; run|Database needs bootstrapping)|Schema-validation: missing (?:table|column|sequence) \[(?<hibernate>[\w.$ -]{1,120})\]|(?<airflow>You need to initialize the database)/i,
);
const ofCluster = line(['StorageClass', 'volumeattachment', 'PriorityClass', 'IngressClass'], []);

export const cause = defineCause({
  id: 'app-database-schema-missing',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'Database or table missing',
    title: 'The database of {container} lacks {object}',
    why: '{container} reaches its database and may log in, but {object} is not there. The database was never created, its migrations have not run or have failed (a migration Job, an init container, a helm hook), they ran in another database or schema, or the program is of a newer version than the schema.',
  },

  clues: {
    absent: proves(absent, byContainers),
    ofCluster: excludes(ofCluster),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    absent: 'its database answers that {object} is not there',
    ofCluster: 'it is an object of the cluster that is missing, none of a database',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { absent: said }) => {
    const f = said?.fields ?? {};
    const named = f['name'] ?? f['table'] ?? f['mysql'] ?? f['sqlite'] ?? f['mssql'];
    const object =
      named !== undefined
        ? `${f['kind']?.toLowerCase() ?? 'the table or database'} ${named}`
        : f['dirty'] !== undefined
          ? `a finished migration (version ${f['dirty']} is dirty)`
          : f['count'] !== undefined
            ? `${f['count']} migrations`
            : f['kong'] !== undefined
              ? 'the migrations of this version'
              : 'the tables it needs';
    return { ...namesOf(place), object };
  },

  fixes: [
    {
      say: 'See what {container} says last, and how it is set up',
      risk: 'reads-only',
      steps: [
        { say: 'its last words', run: 'kubectl -n {{namespace}} logs {{target}} --previous --tail=30', on: 'cluster' },
        {
          say: 'Jobs and init containers that should have made the schema',
          run: "kubectl -n {{namespace}} get jobs; kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A12 'initContainers:|DB_|DATABASE|POSTGRES|MYSQL'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Point {container} to the database that has it, or go back to the version that fits the schema',
      risk: 'restarts-pods',
      steps: [{ say: 'the last version', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' }],
      changes: [{ do: 'rollout-undo' }],
      verified: '{container} starts',
    },
    {
      say: 'Or create {object}: run the migrations of this version, or create the database',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'see why the migration Job or hook failed first: its log names the statement',
          run: 'kubectl -n {{namespace}} logs -l job-name=JOB --tail=50',
          on: 'cluster',
        },
        { say: 'take a backup, then run the migration (a helm upgrade runs its hooks again)' },
        {
          say: 'database images create the database of POSTGRES_DB, MYSQL_DATABASE only with an empty data folder: on an old volume create it by hand',
        },
      ],
      verified: '{container} starts and finds {object}',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['PostgreSQL errcodes 42P01, 3D000', 'MySQL ER_NO_SUCH_TABLE, ER_BAD_DB_ERROR', 'golang-migrate'],
});
