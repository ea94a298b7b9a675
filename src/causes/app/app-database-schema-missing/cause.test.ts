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
    Hibernate: found('org.hibernate.tool.schema.spi.SchemaManagementException: Schema-validation: missing table [jobs]'),
    Airflow: found('ERROR: You need to initialize the database. Please run `airflow db init`.'),
    PostgreSQL: found('ERROR:  relation "users" does not exist at character 15'),
    'a database': found('FATAL:  database "anvil" does not exist'),
    MySQL: found("Error 1146 (42S02): Table 'anvil.jobs' doesn't exist"),
    Kong: found(
      "nginx: [error] init_by_lua error: /usr/local/share/lua/5.1/kong/cmd/utils/migrations.lua:25: New migrations available; run 'kong migrations up' to proceed",
    ),
    'half a migration': found('error: Dirty database version 14. Fix and force version.'),
    'migrations that wait': found('You have 3 unapplied migration(s). Your project may not work properly'),
  },
  rulesOut: {
    'a healthy pod': {
      evidence: {
        'pods.txt': listing('1/1     Running            0             4m'),
        'log.txt': log('FATAL:  database "anvil" does not exist'),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': listing('1/1     Running            5 (8d ago)    8d'),
        'log.txt': log('FATAL:  database "anvil" does not exist'),
      },
      by: 'over',
    },
    'an object of the cluster': {
      evidence: { 'pods.txt': listing(), 'log.txt': log('StorageClass lookup: table "fast" does not exist') },
      by: 'ofCluster',
    },
  },
  asks: { 'the state of the pod': { evidence: { 'paste.txt': 'FATAL:  database "anvil" does not exist\n' }, for: 'pod-status' } },
});
