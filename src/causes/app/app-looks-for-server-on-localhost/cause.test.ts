import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (more = '') => `Name:           orders-7d9f8c6b5-x2k4p
Namespace:      shop
Node:           fir-5/10.4.0.15
Status:         Running
Controlled By:  ReplicaSet/orders-7d9f8c6b5
Containers:
  orders:
    Image:          registry.example/shop/orders:1.4
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    1
    Ready:          False
    Restart Count:  5
${more}Events:
  Type     Reason   Age               From     Message
  ----     ------   ----              ----     -------
  Warning  BackOff  9s (x9 over 2m)   kubelet  Back-off restarting failed container
`;
const log = (text: string) => `$ kubectl -n shop logs orders-7d9f8c6b5-x2k4p -c orders --previous\n${text}\n`;
const go = 'panic: dial tcp 127.0.0.1:5432: connect: connection refused';

testCause(cause, {
  finds: {
    'a socket of PostgreSQL': {
      evidence: {
        'describe.txt': described(),
        'log.txt': log(
          'ActiveRecord::ConnectionNotEstablished: connection to server on socket "/var/run/postgresql/.s.PGSQL.5432" failed: No such file or directory',
        ),
      },
      confidence: 'possible',
    },
    Go: {
      evidence: { 'describe.txt': described(), 'log.txt': log(go) },
      confidence: 'certain',
      place: 'container orders of Deployment shop/orders',
      cites: ['log.txt:2'],
      victims: 1,
    },
    'Node.js': {
      evidence: { 'describe.txt': described(), 'log.txt': log('Error: connect ECONNREFUSED 127.0.0.1:27017') },
      confidence: 'certain',
    },
    libpq: {
      evidence: {
        'describe.txt': described(),
        'log.txt': log('psycopg2.OperationalError: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused'),
      },
      confidence: 'certain',
    },
    'one line': {
      evidence: { 'paste.txt': 'redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused.\n' },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'a proxy should listen there': {
      evidence: {
        'describe.txt': described(
          '  cloud-sql-proxy:\n    Image:          registry.example/sql/proxy:2\n    State:          Running\n      Started:      Mon, 02 Nov 2026 08:00:00 +0000\n    Ready:          True\n    Restart Count:  0\n',
        ),
        'log.txt': log(go),
      },
      by: 'helper',
    },
    well: {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                     READY   STATUS    RESTARTS   AGE\nshop        orders-7d9f8c6b5-x2k4p   1/1     Running   0          6m\n',
        'log.txt': log(go),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                     READY   STATUS    RESTARTS     AGE\nshop        orders-7d9f8c6b5-x2k4p   1/1     Running   3 (7d ago)   9d\n',
        'log.txt': log(go),
      },
      by: 'over',
    },
  },
  asks: { 'its containers': { evidence: { 'log.txt': log(go) }, for: 'pod-spec' } },
});
