import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

/** The server of the database says it, so it is there and answers. */
const full = line(
  [
    'too many clients already',
    'remaining connection slots are reserved',
    'too many connections for',
    'Too many connections',
    'max_user_connections',
    'max_connections_per_hour',
    'max number of clients reached',
    'no more connections allowed',
    'too many open connections',
    'ORA-12516',
    'ORA-12519',
    'ORA-00018',
    'ORA-00020',
    'MaxClientsInSessionMode',
  ],
  ['container-log', 'prose', 'pod-status', 'pod-events'],
  /(?<postgres>sorry, too many clients already|remaining connection slots are reserved|too many connections for (?:role|database)|MaxClientsInSessionMode)|(?<mysql>(?:ERROR 1040|08004|1040\)?|HY000)[^\n]{0,60}?Too many connections|Too many connections|has exceeded the '(?:max_user_connections|max_connections_per_hour)' resource|more than 'max_user_connections' active connections)|(?<redis>max number of clients reached)|(?<pgbouncer>no more connections allowed)|(?<mongo>because there are too many open connections|too many open connections)|(?<oracle>ORA-12516|ORA-12519|ORA-00018|ORA-00020)/,
);
/** The pool of the program itself; its own limit, or a database that answers slowly. */
const pool = line(
  ['Connection is not available, request timed out after', 'QueuePool limit of size', 'Timeout acquiring a connection'],
  'container-log',
  /(?<pool>Connection is not available, request timed out after \d{1,8}ms|QueuePool limit of size \d{1,6} overflow \d{1,6} reached|Timeout acquiring a connection\. The pool is probably full)/,
);
const unreachable = line(
  ['connection refused', 'ECONNREFUSED', 'no such host', 'Name or service not known'],
  [],
  /connection refused|ECONNREFUSED|no such host|Name or service not known/i,
);
const SERVERS: Readonly<Record<string, string>> = {
  postgres: 'its PostgreSQL database',
  mysql: 'its MySQL or MariaDB database',
  redis: 'its Redis server',
  pgbouncer: 'PgBouncer in front of its database',
  mongo: 'its MongoDB',
  oracle: 'its Oracle database',
};

export const cause = defineCause({
  id: 'app-database-connections-exhausted',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'Database out of connections',
    title: '{server} has no connection left for {container}: {error}',
    why: '{server} is up and refuses {container} all the same, because the number of connections it is set to allow is in use ({error}). Each replica opens a pool of its own, so replicas times pool size must stay below the limit; a rolling update doubles the replicas for a while, restarts in a row leave connections behind until they time out, and other programs share the same limit.',
  },

  clues: {
    full: proves(full, (fact) => byContainers(fact) || fact.channel === 'pod-events'),
    pool: supports(pool, byContainers),
    unreachable: excludes(unreachable),
    well: excludes('pod.status', isWell),
  },
  says: {
    full: '{server} says that all its connections are in use: {error}',
    pool: 'the pool of the program gets no connection in time: {error}',
    unreachable: 'the server does not answer at all, or its name is unknown',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { full: said, pool: waits }) => {
    const [kind, error] = Object.entries(said?.fields ?? waits?.fields ?? {}).find(([, value]) => value !== undefined) ?? [];
    return { ...namesOf(place), server: SERVERS[kind ?? ''] ?? 'its database', error: error ?? 'too many connections' };
  },

  fixes: [
    {
      say: 'See who holds the connections, and how many {server} allows',
      risk: 'reads-only',
      steps: [
        {
          say: 'PostgreSQL: the limit, and connections by user and state',
          run: 'kubectl -n {{namespace}} exec -it DATABASE-POD -- psql -U postgres -c "show max_connections" -c "select usename, application_name, state, count(*) from pg_stat_activity group by 1, 2, 3 order by 4 desc"',
          on: 'cluster',
        },
        {
          say: 'MySQL and MariaDB',
          run: 'kubectl -n {{namespace}} exec -it DATABASE-POD -- mysql -uroot -p -e "show variables like \'max_connections\'; show processlist"',
          on: 'cluster',
        },
        { say: 'how many replicas each open a pool', run: 'kubectl -n {{namespace}} get deployments,statefulsets', on: 'cluster' },
      ],
    },
    {
      say: 'Make pool size times replicas smaller than the limit: fewer replicas, a smaller pool, or a pooler (PgBouncer, ProxySQL) in between',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the pool is a setting of the program (maximumPoolSize, pool_size, RAILS_MAX_THREADS, connection_limit in the URL)',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        { say: 'a rolling update needs room for maxSurge more pods' },
      ],
      verified: '{container} connects and stays up',
    },
    {
      say: 'Or raise the limit of the server (max_connections, maxclients), with the memory it costs',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'PostgreSQL and MySQL take some megabytes for each connection; a restart of PostgreSQL is needed',
          run: 'kubectl -n {{namespace}} get statefulsets,configmaps',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'postgresql src/backend/storage/lmgr/proc.c, src/backend/utils/init/postinit.c',
    'MySQL ER_CON_COUNT_ERROR (1040)',
    'redis src/networking.c',
    'HikariCP HikariPool.java',
  ],
});
