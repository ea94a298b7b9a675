import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = `$ kubectl -n shop get pods
NAME                       READY   STATUS             RESTARTS       AGE
orders-6f7d8c9b54-t9xkz    0/1     CrashLoopBackOff   7 (2m ago)     14m
`;
const well = listing.replace('0/1     CrashLoopBackOff   7 (2m ago)     14m', '1/1     Running            0              14m');
const history = listing.replace('0/1     CrashLoopBackOff   7 (2m ago)     14m', '1/1     Running            7 (9d ago)     9d');

const events = `$ kubectl -n shop describe pod orders-6f7d8c9b54-t9xkz
Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  14m                default-scheduler  Successfully assigned shop/orders-6f7d8c9b54-t9xkz to worker-1
  Normal   Started    2m (x8 over 14m)   kubelet            Started container orders
  Warning  BackOff    9s (x41 over 14m)  kubelet            Back-off restarting failed container orders in pod orders-6f7d8c9b54-t9xkz_shop(7c8fd1b1-5a8a-4f35-9b1e-0c7b9a2a7d15)
`;
const stops = `${events}  Normal   Killing         31s (x7 over 13m)  kubelet  Stopping container orders
  Normal   SandboxChanged  30s (x7 over 13m)  kubelet  Pod sandbox changed, it will be killed and re-created.
`;

const log = (text: string) => `$ kubectl -n shop logs orders-6f7d8c9b54-t9xkz -c orders --previous\n${text}\n`;
const place = 'container orders of Deployment shop/orders';

const found = (text: string, line: number) => ({
  evidence: { 'pods.txt': listing, 'events.txt': events, 'log.txt': log(text) },
  confidence: 'certain' as const,
  place,
  cites: [`log.txt:${line}`],
});

const refused = '2025-03-03T10:12:02Z WARN cannot connect yet: dial tcp 10.96.14.3:5432: connect: connection refused';
const others = `${Array.from({ length: 9 }, (_, index) => `2025-03-03T10:12:1${index}Z INFO step ${index} of the migration done`).join('\n')}
2025-03-03T10:13:09Z FATAL unknown column total`;

testCause(cause, {
  finds: {
    Celery: found(
      '[2025-03-03 10:12:02,000: ERROR/MainProcess] consumer: Cannot connect to amqp://orders@orders-mq:5672//: [Errno 111] Connection refused.',
      2,
    ),
    'a broker that waits for ZooKeeper': {
      ...found('kafka.zookeeper.ZooKeeperClientTimeoutException: Timed out waiting for connection while in state: CONNECTING', 2),
      confidence: 'probable',
    },
    'a client of Kafka': {
      ...found('org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment. Call: listTopics', 2),
      confidence: 'probable',
    },
    'a node of Erlang': found('ERROR: epmd error for host orders-mq-0.orders-mq.shop.svc.cluster.local: nxdomain (non-existing domain)', 2),
    'a keeper of ClickHouse': {
      ...found(
        'Unhandled exception: Code: 999. DB::Exception: Cannot create session: All connection tries failed while connecting to ZooKeeper. nodes: 10.96.14.3:2181',
        2,
      ),
      confidence: 'probable',
    },
    Elixir: found('** (DBConnection.ConnectionError) tcp connect (orders-db:5432): connection refused - :econnrefused', 2),
    Npgsql: found('Unhandled exception. Npgsql.NpgsqlException (0x80004005): Failed to connect to 10.96.14.3:5432', 2),
    rdkafka: found(
      "%3|1709633457.1|FAIL|rdkafka#producer-1| orders-mq:9092/bootstrap: Failed to resolve 'orders-mq:9092': Name or service not known",
      2,
    ),
    'PHP, connection refused': found(
      'PHP Fatal error:  Uncaught PDOException: SQLSTATE[HY000] [2002] Connection refused in /srv/orders.php:5',
      2,
    ),
    'Prisma, a database that does not answer': found("Error: P1001: Can't reach database server at `orders-db`:`5432`", 2),
    'an agent without its port': found(
      'java.io.IOException: http://ci.forge.example:8080/ provided port:50000 is not reachable on host ci.forge.example',
      2,
    ),
    'Go, connection refused': found(
      '2025-03-03T10:12:01Z INFO starting orders 3.2\n2025-03-03T10:12:06Z FATAL cannot open database: dial tcp 10.96.14.3:5432: connect: connection refused',
      3,
    ),
    'Go, unknown name': found(
      'panic: failed to connect to `host=orders-db user=app`: hostname resolving error (lookup orders-db on 10.96.0.10:53: no such host)',
      2,
    ),
    BusyBox: found("nc: can't connect to remote host (10.96.14.3): Connection refused", 2),
    Node: found('Error: connect ECONNREFUSED 10.96.14.3:6379\n    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16)', 2),
    'Node, unknown name': found(
      'Error: getaddrinfo ENOTFOUND orders-db\n    at GetAddrInfoReqWrap.onlookup [as oncomplete] (node:dns:107:26)',
      2,
    ),
    'PostgreSQL client': found(
      'sqlalchemy.exc.OperationalError: connection to server at "orders-db" (10.96.14.3), port 5432 failed: Connection refused',
      2,
    ),
    'Redis client of Python': found('redis.exceptions.ConnectionError: Error 111 connecting to cache:6379. Connection refused.', 2),
    'Java, JDBC': found(
      'org.postgresql.util.PSQLException: Connection to orders-db:5432 refused. Check that the hostname and port are correct and that the postmaster is accepting TCP/IP connections.',
      2,
    ),
    'Java, unknown name': found('Caused by: java.net.UnknownHostException: orders-db', 2),
    'C++, unknown name': found('Code: 210. DB::NetException: Host not found: orders-db.shop.svc (orders-db.shop.svc:9000)', 2),
    'an HTTP client of Java': found(
      'WARN RetryableEurekaHttpClient : Request execution failed with message: org.apache.http.conn.HttpHostConnectException: Connect to registry-api:8761 [registry-api/10.4.0.9] failed: Connection refused (Connection refused)',
      2,
    ),
    curl: found('curl: (6) Could not resolve host: orders-api', 2),
    nginx: found('nginx: [emerg] host not found in upstream "orders-api" in /etc/nginx/conf.d/default.conf:4', 2),
    'no answer': {
      evidence: {
        'events.txt': events,
        'pods.txt': listing,
        'log.txt': log('2025-03-03T10:12:01Z ERROR cannot reach broker: dial tcp 10.96.14.9:5672: i/o timeout'),
      },
      confidence: 'probable',
      place,
    },
    'a panic, and no events read': {
      evidence: { 'pods.txt': listing, 'log.txt': log('panic: dial tcp 10.96.14.9:5672: i/o timeout') },
      confidence: 'probable',
      place,
    },
    'through a proxy': {
      evidence: {
        'events.txt': events,
        'pods.txt': listing,
        'log.txt': log(
          'panic: login failed: &ResponseError{URL:"http://secrets.vault:8200/v1/auth/login", Code:503, Errors:[]string{"upstream connect error or disconnect/reset before headers. reset reason: connection failure"}}',
        ),
      },
      confidence: 'certain',
      place,
    },
    'refused again and again, something else at the end': {
      evidence: { 'pods.txt': listing, 'log.txt': log(`${`${refused}\n`.repeat(4)}${others}`) },
      confidence: 'possible',
      place,
    },
    'no answer and an unknown name, again and again': {
      evidence: {
        'pods.txt': listing,
        'log.txt': log(
          `${'WARN dial tcp 10.96.14.9:5672: i/o timeout\nWARN lookup stock on 10.96.0.10:53: no such host\n'.repeat(4)}${others}`,
        ),
      },
      confidence: 'possible',
      place,
    },
    'a lone line, pasted without its log': {
      evidence: { 'pods.txt': listing, 'note.txt': 'Error: connect ECONNREFUSED 10.96.14.3:6379\n' },
      confidence: 'possible',
      place: 'Deployment shop/orders',
    },
  },
  rulesOut: {
    'killed for memory': {
      evidence: {
        'pods.txt': listing.replace('CrashLoopBackOff', 'OOMKilled       '),
        'log.txt': log('WARN will try again: dial tcp 10.96.14.3:5432: connect: connection refused'),
      },
      by: 'oom',
    },
    'the whole pod is stopped': {
      evidence: {
        'pods.txt': listing,
        'events.txt': stops,
        'log.txt': log('WARN will try again: dial tcp 10.96.14.3:5432: connect: connection refused'),
      },
      by: 'stops',
    },
    'DNS does not answer': {
      evidence: {
        'pods.txt': listing,
        'log.txt': log(
          'psycopg2.OperationalError: could not translate host name "orders-db" to address: Temporary failure in name resolution\nError: getaddrinfo ENOTFOUND orders-db',
        ),
      },
      by: 'noDns',
    },
    'a healthy pod that had to try twice': {
      evidence: {
        'pods.txt': well,
        'log.txt': log('2025-03-03T10:12:06Z WARN will try again: dial tcp 10.96.14.3:5432: connect: connection refused'),
      },
      by: 'well',
    },
    'a crash loop that ended days ago': {
      evidence: {
        'pods.txt': history,
        'log.txt': log('2025-03-03T10:12:06Z FATAL cannot open database: dial tcp 10.96.14.3:5432: connect: connection refused'),
      },
      by: 'over',
    },
    'a job that has finished': {
      evidence: {
        'pods.txt':
          '$ kubectl -n shop get pods\nNAME             READY   STATUS      RESTARTS   AGE\nimport-5kq7x     0/1     Completed   0          3h\n',
        'log.txt':
          '$ kubectl -n shop logs import-5kq7x\nWARN will try again: dial tcp 10.96.14.3:5432: connect: connection refused\nINFO imported 412 rows\n',
      },
      by: 'well',
    },
  },
  asks: {
    'how the pod is doing, with the log alone': {
      evidence: { 'log.txt': log('Error: connect ECONNREFUSED 10.96.14.3:6379') },
      for: 'pod-status',
    },
  },
});

describe('app-dependency-unreachable and single failures', () => {
  it('does not take one refused try early in a log for the reason of the end', async () => {
    const documents = [
      { name: 'pods.txt', text: listing },
      { name: 'log.txt', text: log(`${refused}\n${others}`) },
    ];
    const { incidents } = await diagnose(documents, { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });

  it('does not take a first try for the end of a program that is up since', async () => {
    const text = log(`${refused}\n2025-03-03T10:12:04Z INFO listening on :8080`);
    const { incidents } = await diagnose([{ name: 'log.txt', text }], { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });

  it.each([
    ['io.lettuce.core.RedisConnectionException: Unable to connect to orders-cache:6379', 'orders-cache:6379'],
    ['pymongo.errors.ServerSelectionTimeoutError: orders-db:27017: [Errno -2] Name or service not known', 'orders-db:27017'],
    [
      'psycopg2.OperationalError: could not connect to server: Connection refused\n\tIs the server running on host "orders-db" (10.96.14.3) and accepting\n\tTCP/IP connections on port 5432?',
      'orders-db',
    ],
  ])('names the server of one pasted exception: %s', async (text, server) => {
    const { incidents } = await diagnose([{ name: 'paste.txt', text: `${text}\n` }], { causes: [cause] });
    expect(incidents[0]?.title).toContain(server);
  });

  it('passes over telemetry that nobody collects', async () => {
    const documents = [
      { name: 'pods.txt', text: listing },
      {
        name: 'log.txt',
        text: log(
          'ERROR traces export: exporter export timeout: dial tcp 10.96.3.3:4317: connect: connection refused\nFATAL unknown column total',
        ),
      },
    ];
    const { incidents } = await diagnose(documents, { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });

  it('leaves the API server and DNS to others', async () => {
    const documents = [
      { name: 'pods.txt', text: listing },
      {
        name: 'log.txt',
        text: log('FATAL cannot list nodes: Get "https://10.96.0.1:443/api/v1/nodes": dial tcp 10.96.0.1:443: connect: connection refused'),
      },
    ];
    const { incidents } = await diagnose(documents, { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });

  it('does not take the words of a probe for those of the program', async () => {
    const probes = `$ kubectl -n shop describe pod orders-6f7d8c9b54-t9xkz
Events:
  Type     Reason     Age               From     Message
  ----     ------     ----              ----     -------
  Warning  Unhealthy  9s (x12 over 2m)  kubelet  Readiness probe failed: Get "http://10.244.1.9:8080/ready": dial tcp 10.244.1.9:8080: connect: connection refused
`;
    const { incidents } = await diagnose([{ name: 'events.txt', text: probes }], { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });
});

describe('app-dependency-unreachable and calls from outside', () => {
  it.each([
    'Readiness probe failed: Get "http://10.1.2.3:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    'Error response from daemon: Get https://10.1.2.3:5000/v2/: ping attempt failed with error: dial tcp 10.1.2.3:5000: i/o timeout',
  ])('does not speak of: %s', async (text) => {
    const { incidents } = await diagnose([{ name: 'paste.txt', text: `${text}\n` }], { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });
});
