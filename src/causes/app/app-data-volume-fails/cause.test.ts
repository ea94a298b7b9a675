import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const logs = (text: string) => ({ 'ledger.log': `$ kubectl -n shop logs ledger-0\n${text}\n` });
const found = (text: string) => ({ evidence: logs(text), confidence: 'possible' as const });
const kafka = '[2026-03-04 08:10:57,345] ERROR Shutdown broker because all log dirs in /srv/kafka/data have failed (kafka.log.LogManager)';

testCause(cause, {
  finds: {
    Kafka: { ...found(kafka), place: 'StatefulSet shop/ledger', cites: ['ledger.log:2'] },
    'a client of Redis': found(
      'redis.exceptions.ResponseError: MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk.',
    ),
    'the message of Redis alone': {
      evidence: {
        'note.txt':
          "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk. Commands that may modify the data set are disabled.\n",
      },
      confidence: 'possible',
    },
    'Redis that cannot fork': found("1:M 04 Mar 2026 08:10:57.000 # Can't save in background: fork: Cannot allocate memory"),
    MinIO: found(
      'Error: Drive https://ledger-2.ledger:9000/export returned an unexpected error: drive is faulty, please investigate - drive will be offline (*errors.errorString)',
    ),
    'MinIO at its start': found('ERROR Unable to use the drive https://ledger-1:9000/export: drive not found'),
    InnoDB: found('2026-03-04T08:10:57.000000Z 0 [ERROR] [MY-012592] [InnoDB] Operating system error number 5 in a file operation.'),
    RabbitMQ: found('2026-03-04 08:10:57.000000+00:00 [warning] <0.437.0> disk resource limit alarm set on node rabbit@ledger-0.'),
  },
  rulesOut: {
    'the pod is well': {
      evidence: {
        'pods.txt':
          '$ kubectl -n shop get pods\nNAME       READY   STATUS    RESTARTS   AGE\nledger-0   1/1     Running   0          22m\n',
        ...logs(kafka),
      },
      by: 'well',
    },
  },
  asks: { 'how the pod is': { evidence: logs(kafka), for: 'pod.status' } },
});
