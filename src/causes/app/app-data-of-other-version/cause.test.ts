import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `$ kubectl -n shop get pods
NAME       READY   STATUS             RESTARTS      AGE
ledger-0   ${status}   4m
`;
const CRASHING = '0/1     CrashLoopBackOff   5 (61s ago)';
const log = (words: string) => `$ kubectl -n shop logs ledger-0\n${words}\n`;
const crashing = (words: string) => ({ 'pods.txt': pods(CRASHING), 'ledger.log': log(words) });
const postgres =
  '2026-03-04 08:10:57.365 GMT [1] FATAL:  database files are incompatible with server\n2026-03-04 08:10:57.365 GMT [1] DETAIL:  The data directory was initialized by PostgreSQL version 13, which is not compatible with this version 16.2.';

testCause(cause, {
  finds: {
    'files of a newer Nextcloud': {
      evidence: crashing(
        "Can't start Nextcloud because the version of the data (21.0.2.1) is higher than the docker image version (20.0.10.1) and downgrading is not supported.",
      ),
      confidence: 'certain',
    },
    'tables of a newer Gitea': {
      evidence: crashing(
        '2026/03/04 08:10:57 cmd/web.go:242:runWeb() [F] Your database (migration version: 299) is for a newer Gitea, you can not use the newer database for this old Gitea release (286)',
      ),
      confidence: 'certain',
    },
    'a version left out': {
      evidence: crashing('It seems you are upgrading from major version 15 to major version 17.'),
      confidence: 'certain',
    },
    'files of a newer WiredTiger': {
      evidence: crashing(
        '2026-03-04T08:10:57.000+0000 E STORAGE  [initandlisten] WiredTiger error (-31804) unsupported WiredTiger file version: this build only supports versions up to 4, and the file is version 5',
      ),
      confidence: 'certain',
    },
    'an upgrade after a crash': {
      evidence: crashing('2026-03-04  8:10:57 0 [ERROR] InnoDB: Upgrade after a crash is not supported.'),
      confidence: 'certain',
    },
    'an image that keeps its data elsewhere': {
      evidence: crashing(
        'Error: in 18+, these Docker images are configured to store database data in a\n       format which is compatible with "pg_ctlcluster" (specifically, using\n       major-version-specific directory names).',
      ),
      confidence: 'certain',
    },
    'no version opens it': {
      evidence: crashing(
        '{"t":{"$date":"2026-03-04T08:10:57.047+00:00"},"s":"W","c":"STORAGE","id":22347,"ctx":"initandlisten","msg":"Failed to start up WiredTiger under any compatibility version. This may be due to an unsupported upgrade or downgrade."}',
      ),
      confidence: 'possible',
    },
    'a redo log of MariaDB': {
      evidence: {
        'db.log':
          '$ kubectl logs orders-db-0\n2026-03-04 08:10:57 0 [ERROR] InnoDB: Upgrade after a crash is not supported. The redo log was created with MariaDB 10.5.4.\n',
      },
      confidence: 'probable',
    },
    'feature flags of RabbitMQ': {
      evidence: {
        'mq.log':
          '$ kubectl logs orders-mq-0\nFeature flags: `quorum_queue`: required feature flag not enabled! It must be enabled before upgrading RabbitMQ.\n',
      },
      confidence: 'probable',
    },
    'a redo log of the version before': {
      evidence: {
        'db.log':
          '$ kubectl logs orders-db-0\n2026-03-04T08:10:57.114034Z 1 [ERROR] [MY-012526] [InnoDB] Upgrade after a crash is not supported. This redo log was created with MySQL 5.7.40.\n2026-03-04T08:10:57.588105Z 1 [ERROR] [MY-010334] [Server] Failed to initialize DD Storage Engine\n',
      },
      confidence: 'probable',
    },
    'a new major version': { evidence: crashing(postgres), confidence: 'certain', cites: ['ledger.log:3'] },
    'an older server': {
      evidence: crashing(
        "1:M 04 Mar 2026 08:10:57.408 # Can't handle RDB format version 11\n1:M 04 Mar 2026 08:10:57.409 # Fatal error loading the DB: Invalid argument. Exiting.",
      ),
      confidence: 'certain',
    },
    'a store whose old format was dropped': {
      evidence: crashing(
        'ERROR Unable to use the drive /data: Drive /data: found backend type fs, expected xl or xl-single - to migrate to a supported backend: Invalid arguments specified',
      ),
      confidence: 'certain',
    },
    'an index of two versions before': {
      evidence: crashing(
        '{"@timestamp":"2026-03-04T08:10:57.123Z","log.level":"ERROR","message":"fatal exception while booting Elasticsearch","error.type":"java.lang.IllegalStateException","error.message":"The index [[orders/kTbXVVX5]] was created with version [6.8.4] but the minimum compatible version is [7.0.0]. It should be re-indexed in Elasticsearch 7.x before upgrading to 8.2.0."}',
      ),
      confidence: 'certain',
    },
    'two steps at once': {
      evidence: crashing(
        '2026-03-04T08:10:57.604Z 1 [ERROR] [MY-013171] [InnoDB] Cannot boot server version 80400 on data directory built by version 50744. Downgrade is not supported',
      ),
      confidence: 'certain',
    },
    'an index, with its claim': {
      evidence: {
        ...crashing('java.lang.IllegalStateException: cannot upgrade a node from version [6.8.23] directly to version [8.11.1]'),
        'pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-0\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: ledger-data\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'files of another build': {
      evidence: crashing(
        '2026-03-04 08:10:57.365 GMT [1] FATAL:  database files are incompatible with server\n2026-03-04 08:10:57.365 GMT [1] DETAIL:  The database cluster was initialized without USE_FLOAT8_BYVAL but the server was compiled with USE_FLOAT8_BYVAL.',
      ),
      by: 'builtOtherwise',
    },
    'files it may not open': {
      evidence: crashing(
        '{"t":{"$date":"2026-03-04T08:10:57.047+00:00"},"s":"W","c":"STORAGE","id":22347,"ctx":"initandlisten","msg":"Failed to start up WiredTiger under any compatibility version. This may be due to an unsupported upgrade or downgrade."}\n{"t":{"$date":"2026-03-04T08:10:57.048+00:00"},"s":"F","c":"STORAGE","id":28595,"ctx":"initandlisten","msg":"Terminating.","attr":{"reason":"1: Operation not permitted"}}',
      ),
      by: 'cannotOpen',
    },
    'brought to this version since': { evidence: crashing(`${postgres}\nFinished upgrading`), by: 'migrates' },
    'it runs by now': {
      evidence: { 'pods.txt': pods('1/1     Running            0            '), 'ledger.log': log(postgres) },
      by: 'well',
    },
  },
  asks: {
    'what the pod mounts': { evidence: crashing(postgres), for: 'pod.volume' },
  },
});
