import { describe, expect, it } from 'vitest';
import { errorsIn, payloadsOf, readTool } from './testing-read.ts';

const STATUS_TABLE = `+-----------------------+------------------+---------+---------+-----------+------------+-----------+------------+--------------------+------------------------------------------+
|       ENDPOINT        |        ID        | VERSION | DB SIZE | IS LEADER | IS LEARNER | RAFT TERM | RAFT INDEX | RAFT APPLIED INDEX |                  ERRORS                  |
+-----------------------+------------------+---------+---------+-----------+------------+-----------+------------+--------------------+------------------------------------------+
| https://10.1.1.1:2379 | 8e9e05c52164694d |   3.5.9 |  2.1 GB |      true |      false |         9 |       4551 |               4551 |  memberID:10276657743932975437 alarm:NOSPACE |
| https://10.1.1.2:2379 | 8e9e05c52164694e |   3.5.9 |   20 MB |     false |      false |         9 |       4551 |               4551 |                                          |
+-----------------------+------------------+---------+---------+-----------+------------+-----------+------------+--------------------+------------------------------------------+`;

describe('etcdctl', () => {
  it('reads endpoint status as a table and in one line', () => {
    const read = readTool(STATUS_TABLE);
    expect(payloadsOf(read, 'object.status')).toEqual([
      [
        'Object/EtcdMember/?/https://10.1.1.1:2379',
        { status: 'alarm NOSPACE', detail: 'DB SIZE 2.1 GB, memberID:10276657743932975437 alarm:NOSPACE' },
      ],
      ['Object/EtcdMember/?/https://10.1.1.2:2379', { status: 'up', detail: 'DB SIZE 20 MB' }],
    ]);
    expect(errorsIn(read)).toEqual(['memberID:10276657743932975437 alarm:NOSPACE']);
    expect(read.left).toEqual([]);
    const plain = readTool('https://10.1.1.1:2379, 8e9e05c52164694d, 3.5.9, 20 MB, true, false, 9, 4551, 4551, ');
    expect(payloadsOf(plain, 'object.status')).toMatchObject([[expect.anything(), { status: 'up' }]]);
  });

  it('reads endpoint health, well or not', () => {
    const read = readTool(
      'https://10.1.1.1:2379 is healthy: successfully committed proposal: took = 9.8ms\nhttps://10.1.1.3:2379 is unhealthy: failed to commit proposal: context deadline exceeded\nError: unhealthy cluster',
      { command: 'etcdctl endpoint health --cluster' },
    );
    expect(payloadsOf(read, 'object.status').map(([, payload]) => payload)).toEqual([
      { status: 'healthy' },
      { status: 'unhealthy', detail: 'failed to commit proposal: context deadline exceeded' },
    ]);
    expect(errorsIn(read)).toEqual(['https://10.1.1.3:2379 is unhealthy: failed to commit proposal: context deadline exceeded']);
    expect(read.left).toEqual([]);
    const table = readTool('| ENDPOINT | HEALTH | TOOK | ERROR |\n| 10.1.1.1:2379 | false | 5s | context deadline exceeded |');
    expect(payloadsOf(table, 'object.status')).toMatchObject([['Object/EtcdMember/?/10.1.1.1:2379', { status: 'unhealthy' }]]);
  });

  it('reads alarms, members and what the client logs', () => {
    expect(payloadsOf(readTool('memberID:13803658152347727308 alarm:CORRUPT'), 'object.status')).toMatchObject([
      [expect.anything(), { status: 'alarm CORRUPT' }],
    ]);
    const members = readTool(
      '8e9e05c52164694d, started, cp-1, https://10.1.1.1:2380, https://10.1.1.1:2379, false\n8e9e05c52164694e, unstarted, , https://10.1.1.2:2380, , false',
    );
    expect(payloadsOf(members, 'object.status').map(([about]) => about)).toEqual([
      'Object/EtcdMember/?/cp-1',
      'Object/EtcdMember/?/https://10.1.1.2:2380',
    ]);
    const log =
      '{"level":"warn","ts":"2024-05-02T09:11:12.123Z","logger":"etcd-client","msg":"retrying of unary invoker failed","error":"dial tcp 127.0.0.1:2379: connect: connection refused"}';
    expect(errorsIn(readTool(log, { command: 'ETCDCTL_API=3 etcdctl member list' }))).toEqual([
      'retrying of unary invoker failed: dial tcp 127.0.0.1:2379: connect: connection refused',
    ]);
    expect(readTool(log).left).toHaveLength(1);
  });
});
