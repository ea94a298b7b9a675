import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = (row = '0/1     CrashLoopBackOff   5 (61s ago)   4m') =>
  `NAMESPACE   NAME                     READY   STATUS             RESTARTS      AGE\nforge       anvil-5c7d8f9b6d-q8z4n   ${row}\n`;
const log = (text: string) => `$ kubectl -n forge logs anvil-5c7d8f9b6d-q8z4n --previous\n${text}\n`;
const found = (text: string, confidence: 'certain' | 'possible' = 'certain') => ({
  evidence: { 'pods.txt': listing(), 'log.txt': log(text) },
  confidence,
  place: 'Deployment forge/anvil',
});

testCause(cause, {
  finds: {
    PostgreSQL: found('django.db.utils.OperationalError: FATAL:  sorry, too many clients already'),
    'slots for superusers': found('FATAL: remaining connection slots are reserved for non-replication superuser connections'),
    MySQL: found('Error: ER_CON_COUNT_ERROR: Too many connections'),
    Redis: found('ReplyError: ERR max number of clients reached'),
    PgBouncer: found('FATAL: no more connections allowed (max_client_conn)'),
    Oracle: found(
      'java.sql.SQLException: Listener refused the connection with the following error: ORA-12516, TNS:listener could not find available handler',
    ),
    'only the pool': found(
      'java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available, request timed out after 30000ms.',
      'possible',
    ),
  },
  rulesOut: {
    'nobody listens': {
      evidence: {
        'pods.txt': listing(),
        'log.txt': log('FATAL: sorry, too many clients already\nError: connect ECONNREFUSED 10.3.0.8:5432'),
      },
      by: 'unreachable',
    },
    'a healthy pod': {
      evidence: {
        'pods.txt': listing('1/1     Running            0             4m'),
        'log.txt': log('FATAL:  sorry, too many clients already'),
      },
      by: 'well',
    },
  },
  asks: {
    'the state of the pod': { evidence: { 'paste.txt': 'FATAL:  sorry, too many clients already\n' }, for: 'pod-status' },
  },
});
