import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = (row = '0/1     CrashLoopBackOff   5 (61s ago)   4m') =>
  `NAMESPACE   NAME                     READY   STATUS             RESTARTS      AGE\nforge       anvil-5c7d8f9b6d-q8z4n   ${row}\n`;
const log = (text: string) => `$ kubectl -n forge logs anvil-5c7d8f9b6d-q8z4n --previous\n${text}\n`;
const found = (text: string, confidence: 'certain' | 'probable' | 'possible' = 'certain') => ({
  evidence: { 'pods.txt': listing(), 'log.txt': log(text) },
  confidence,
  place: 'Deployment forge/anvil',
});

testCause(cause, {
  finds: {
    'an address MySQL does not take': found("ERROR 1130 (HY000): Host '10.4.1.5' is not allowed to connect to this MySQL server"),
    'the log of the server itself': found(
      '2026-03-04 08:10:57.000 UTC [77] FATAL:  password authentication failed for user "anvil"\n2026-03-04 08:10:57.000 UTC [77] DETAIL:  Connection matched file "/var/lib/postgresql/data/pg_hba.conf" line 128: "host all all all scram-sha-256"',
    ),
    Prisma: found(
      'Error: P1000: Authentication failed against database server at `anvil-db`, the provided database credentials for `anvil` are not valid.',
    ),
    'no rule for it': found(
      'org.postgresql.util.PSQLException: FATAL: no pg_hba.conf entry for host "192.0.2.9", user "anvil", database "forge", no encryption',
    ),
    Git: found("fatal: could not read Username for 'https://git.forge.example': terminal prompts disabled"),
    'Git by key': found('git@git.forge.example: Permission denied (publickey).'),
    'a probe that logs in': {
      evidence: {
        'events.txt':
          "NAMESPACE   LAST SEEN   TYPE      REASON      OBJECT                       MESSAGE\nforge       2m          Warning   Unhealthy   pod/anvil-5c7d8f9b6d-q8z4n   Liveness probe failed: mysqladmin: connect to server at 'localhost' failed error: 'Access denied for user 'root'@'localhost' (using password: YES)'\n",
        'pods.txt': listing(),
      },
      confidence: 'certain',
      place: 'Deployment forge/anvil',
    },
    PostgreSQL: found('FATAL:  password authentication failed for user "anvil"'),
    MySQL: found("Error 1045 (28000): Access denied for user 'anvil'@'10.244.1.5' (using password: YES)"),
    Redis: found('WRONGPASS invalid username-password pair or user is disabled.'),
    MongoDB: found('MongoServerError: Authentication failed.'),
    'and now and then no connection': found(
      'dial tcp 10.96.0.7:5432: connect: connection refused\nFATAL:  password authentication failed for user "anvil"',
    ),
    RabbitMQ: found('ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN.'),
  },
  rulesOut: {
    'a healthy pod': {
      evidence: {
        'pods.txt': listing('1/1     Running            0             4m'),
        'log.txt': log('FATAL:  password authentication failed for user "anvil"'),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': listing('1/1     Running            5 (8d ago)    8d'),
        'log.txt': log('FATAL:  password authentication failed for user "anvil"'),
      },
      by: 'over',
    },
    'a pull': { evidence: { 'pods.txt': listing(), 'log.txt': log('Failed to pull image: bad username or password') }, by: 'ofPull' },
  },
  asks: {
    'the state of the pod': { evidence: { 'paste.txt': 'FATAL:  password authentication failed for user "anvil"\n' }, for: 'pod-status' },
  },
});
