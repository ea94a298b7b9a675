import { describe, expect, it } from 'vitest';
import { parseLogLine } from '../parse-line.ts';

const WHEN = Date.UTC(2024, 0, 2, 3, 4, 5);

describe('stamps of common programs', () => {
  it.each([
    ['nginx', '2024/01/02 03:04:05 [emerg] 1#1: host not found in upstream "api"', 'fatal', '1#1: host not found in upstream "api"'],
    [
      'PostgreSQL',
      '2024-01-02 03:04:05.000 UTC [1] FATAL:  data directory has wrong ownership',
      'fatal',
      'data directory has wrong ownership',
    ],
    ['PostgreSQL with a prefix', '2024-01-02 03:04:05 UTC [304]: [1-1] 65a1c3f2.12c 0     FATAL:  no space', 'fatal', 'no space'],
    ['MySQL', '2024-01-02T03:04:05.000000Z 0 [ERROR] [MY-010119] [Server] Aborting', 'error', '[MY-010119] [Server] Aborting'],
    ['Python', '2024-01-02 03:04:05,000 ERROR worker lost', 'error', 'worker lost'],
    ['Python with dashes', '2024-01-02 03:04:05,000 - app - ERROR - worker lost', 'error', '- app - ERROR - worker lost'],
    ['gunicorn', '[2024-01-02 03:04:05 +0000] [7] [CRITICAL] WORKER TIMEOUT', 'fatal', 'WORKER TIMEOUT'],
    ['Kafka', '[2024-01-02 03:04:05,000] ERROR Exiting Kafka.', 'error', 'Exiting Kafka.'],
    [
      'Elasticsearch',
      '[2024-01-02T03:04:05,000][ERROR][o.e.b.Boot] [n1] max virtual memory',
      'error',
      '[o.e.b.Boot] [n1] max virtual memory',
    ],
    ['fluent-bit', '[2024/01/02 03:04:05] [error] [output:es:es.0] no upstream', 'error', '[output:es:es.0] no upstream'],
    [
      'Envoy',
      '[2024-01-02 03:04:05.000][1][critical][main] [source/server.cc:117] error initializing',
      'fatal',
      '[main] [source/server.cc:117] error initializing',
    ],
    ['generic brackets', '[2024-01-02T03:04:05Z] [ERROR] it broke', 'error', 'it broke'],
    ['Rust env_logger', '[2024-01-02T03:04:05Z ERROR tide::server] it broke', 'error', 'it broke'],
    ['Rust tracing', '2024-01-02T03:04:05.000000Z ERROR tide::server: it broke', 'error', 'tide::server: it broke'],
    ['Spring', '2024-01-02T03:04:05.000Z ERROR 1 --- [main] o.s.b.App : run failed', 'error', '1 --- [main] o.s.b.App : run failed'],
    [
      'Calico',
      '2024-01-02 03:04:05.000 [WARNING][9] startup/startup.go 433: not ready',
      'warning',
      '[9] startup/startup.go 433: not ready',
    ],
    ['hclog', '2024-01-02T03:04:05.000Z [ERROR] agent: no leader', 'error', 'agent: no leader'],
    ['Go', '2024/01/02 03:04:05 Error: no database', undefined, 'Error: no database'],
    ['CoreDNS before its plugins', '2024/01/02 03:04:05 [ERROR] Restart failed', 'error', 'Restart failed'],
    ['Tomcat', '02-Jan-2024 03:04:05.000 SEVERE [main] org.apache.Catalina failed', 'error', '[main] org.apache.Catalina failed'],
    ['Apache', '[Tue Jan 02 03:04:05.000000 2024] [core:error] [pid 1] AH00072: bind', 'error', '[pid 1] AH00072: bind'],
    ['Redis', '1:M 02 Jan 2024 03:04:05.000 # Fatal error', undefined, 'Fatal error'],
    ['level first', 'ERROR [main] 2024-01-02 03:04:05,000 Daemon.java:1 - failed', 'error', 'Daemon.java:1 - failed'],
  ])('%s', (_, line, level, message) => {
    const parsed = parseLogLine(line);
    expect(parsed).toMatchObject({ when: WHEN, message });
    expect(parsed?.level).toBe(level);
  });

  it.each([
    ['[INFO] plugin/reload: Running configuration', 'info', 'plugin/reload: Running configuration'],
    ['[FATAL] plugin/loop: Loop detected', 'fatal', 'plugin/loop: Loop detected'],
    ['ERROR:root:boom', 'error', 'boom'],
    ['03:04:05.123 [main] ERROR c.a.App - boom', 'error', 'c.a.App - boom'],
  ])('%s', (line, level, message) => {
    expect(parseLogLine(line)).toMatchObject({ level, message });
  });

  it.each([
    'NAME   READY   STATUS    RESTARTS   AGE',
    '  Normal   Pulled   103s (x3 over 4m)   kubelet   Container image present',
    'Error from server (NotFound): pods "x" not found',
    'I installed it on 2024-01-02 and all was well.',
    'apiVersion: v1',
    '  - name: app',
    '10.0.0.1 - - [02/Jan/2024:03:04:05 +0000] "GET / HTTP/1.1" 200 12',
    'INFO: see below',
    '2024-01-02',
    '',
  ])('is no log line: %s', (line) => {
    expect(parseLogLine(line)).toBeUndefined();
  });
});
