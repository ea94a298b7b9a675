import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pg =
  '2026-03-02 07:11:09 UTC [204]: [1-1] 65a1c3f2.12c 0     FATAL:  could not write lock file "postmaster.pid": No space left on device\n';
const describe = (log: string, events = '') => ({
  'pod.txt': `Name:         ledger-0
Namespace:    shop
Node:         plover-1/10.4.0.11
Status:       Running
Controlled By:  StatefulSet/ledger
Containers:
  db:
    Image:          postgres:15
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    1
    Ready:          False
    Restart Count:  9
Volumes:
  data:
    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
    ClaimName:  data-ledger-0
    ReadOnly:   false
Events:
  Type     Reason   Age                  From     Message
  ----     ------   ----                 ----     -------
  Warning  BackOff  12s (x43 over 10m)   kubelet  Back-off restarting failed container db in pod ledger-0_shop(5d0c)
${events}`,
  'ledger-0.log': log,
});

testCause(cause, {
  finds: {
    'an index that may not be written': {
      evidence: describe(
        '[2026-03-02T07:11:09.226+00:00][WARN ][plugins.usage] ResponseError: index [.heron_1] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];\n',
      ),
      confidence: 'certain',
    },
    'an operator that looks first': {
      evidence: describe(
        '{"level":"info","ts":"2026-03-02T07:11:09.226Z","msg":"Detected low-disk space condition, avoid starting the instance","logger":"instance-manager","logging_pod":"ledger-0"}\n',
      ),
      confidence: 'certain',
    },
    'PostgreSQL cannot start': {
      evidence: describe(pg),
      confidence: 'certain',
      cites: ['ledger-0.log:1'],
      victims: 1,
    },
    'PostgreSQL panics': {
      evidence: { 'note.log': '2024-03-04 08:10:57 UTC PANIC:  could not write to file "pg_wal/xlogtemp.29": No space left on device\n' },
      confidence: 'certain',
    },
    'MySQL waits': {
      evidence: {
        'note.log':
          "2024-03-04T08:10:57.000000Z 0 [ERROR] [MY-000035] [Server] Disk is full writing './binlog.000012' (OS errno 28 - No space left on device). Waiting for someone to free space...\n",
      },
      confidence: 'certain',
    },
    'Prometheus cannot lock': {
      evidence: {
        'note.log':
          'ts=2023-03-14T03:25:29.262Z caller=main.go:543 level=error err="opening storage failed: lock DB directory: open /data/lock: no space left on device"\n',
      },
      confidence: 'certain',
    },
    'Elasticsearch blocks writes': {
      evidence: {
        'note.log':
          '[2024-03-04T08:10:57,000][WARN ][o.e.c.r.a.DiskThresholdMonitor] [es-0] flood stage disk watermark [95%] exceeded on [xyz][es-0][/usr/share/elasticsearch/data/nodes/0] free: 1gb[1%], all indices on this node will be marked read-only\n',
      },
      confidence: 'certain',
    },
    'a program of another kind': {
      evidence: describe(
        'java.io.IOException: No space left on device\n\tat java.base/sun.nio.ch.FileDispatcherImpl.write0(Native Method)\n',
      ),
      confidence: 'probable',
    },
    'with df': {
      evidence: {
        'ledger-0.log': pg,
        'df.txt': 'Filesystem      Size  Used Avail Use% Mounted on\n/dev/sde        976M  960M     0 100% /home/postgres/pgdata\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the disk of the node': {
      evidence: describe(
        pg,
        '  Warning  Evicted  2s  kubelet  The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi, available: 1Gi.\n',
      ),
      by: 'nodeFull',
    },
    'daemons of the node as well': {
      evidence: {
        ...describe(pg),
        'journal.txt':
          'Mar 04 08:10:57 plover-1 kubelet[1204]: E0304 08:10:57.000000    1204 x.go:1] "Failed" err="write /var/lib/kubelet/pods/x: no space left on device"\n',
      },
      by: 'daemonFull',
    },
  },
  asks: { df: { evidence: describe(pg), for: 'host.filesystem' } },
});
