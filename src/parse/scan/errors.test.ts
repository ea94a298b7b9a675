import { describe, expect, it } from 'vitest';
import { readError } from './errors.ts';

describe('readError decides', () => {
  it.each([
    'errors=0',
    'error_count: 0',
    'error count: 0',
    'lint finished: 0 errors, 0 warnings',
    'finished with no error',
    'finished without any errors',
    'no obvious errors in the last hour',
    'sync done err=<nil> took=3s',
    'level=info msg="reconciled" error=""',
    'request handled error=<nil> status=200',
    '{"level":"info","msg":"ok","error":null}',
    '{"level":30,"msg":"connection refused, will retry"}',
    'I0314 09:26:53.589793    1893 x.go:11] "Probe failed" probeType="Readiness"',
    '2025/03/14 09:26:53 [notice] 1#1: signal process started',
    'starting with --max-errors=3 --ignore-preflight-errors=Swap',
    'Restart=on-failure',
    'wrote /var/log/app/error.log',
    'Listening on :8080, read timeout 30s',
    'dialing with timeout=5s',
    'db ready, 0 failed, 3 ok',
    'Liveness: http-get http://:80/ delay=0s timeout=1s period=10s #success=1 #failure=3',
    'failure-domain.example.com/zone=a',
    'kubelet.service: Main process exited, code=exited, status=0/SUCCESS',
    'config file not found, using defaults',
    'W0314 09:26:53.589793    1893 x.go:11] starting to serve on all addresses',
    'Check the log output for errors.',
    '',
    '   ',
  ])('that this is no error: %s', (text) => {
    expect(readError(text)).toBeUndefined();
  });

  it.each([
    ['E0314 09:26:53.589793    1893 server.go:11] cannot reach the server', 'error'],
    ['F0314 09:26:53.589793    1893 server.go:11] giving up', 'fatal'],
    ['W0314 09:26:53.589793    1893 server.go:11] volume is missing', 'warning'],
    ['time="2025-03-14T09:26:58Z" level=warning msg="pull is slow" error="context canceled"', 'warning'],
    ['2025-03-14 09:26:58,123 ERROR [main] com.example.Shop - no stock', 'error'],
    ['{"severity":"CRITICAL","message":"giving up"}', 'fatal'],
    ['{"level":50,"msg":"giving up"}', 'error'],
    ['nginx: [emerg] invalid number of arguments in "listen" directive in /etc/nginx/nginx.conf:12', 'fatal'],
    ['E: Package mtr has no installation candidate', 'error'],
    ['npm ERR! missing script: start', 'error'],
    ['panic: assignment to entry in nil map', 'fatal'],
    ["thread 'main' panicked at src/main.rs:4:10:", 'fatal'],
    ['sh: 1: serve: not found', 'error'],
    ['java.io.UncheckedIOException: disk is away', 'error'],
    ['ECONNREFUSED 10.0.0.5:5432', 'error'],
    ['read tcp 10.0.0.5:5432: i/o timeout', 'error'],
    ['container app exited with code 137', 'error'],
    ['kubelet.service: Main process exited, code=exited, status=203/EXEC', 'error'],
    ['打开文件失败', 'error'],
    ['mount: Vorgang fehlgeschlagen', 'error'],
    ['write failed err="disk away"', 'error'],
  ])('that this is one: %s', (text, level) => {
    expect(readError(text)?.level).toBe(level);
  });

  it('follows the level it is given', () => {
    expect(readError('all is well', 'error')?.level).toBe('error');
    expect(readError('connection refused', 'info')).toBeUndefined();
    expect(readError('0/3 nodes are available: 3 Insufficient cpu.', 'warning')?.level).toBe('warning');
    expect(readError('image is large', 'warning')).toBeUndefined();
  });
});

describe('readError finds the innermost link', () => {
  it.each([
    [
      'failed to start: cannot load plugin: plugin was built with a different version of package x',
      'plugin was built with a different version of package x',
    ],
    [
      'Failed to pull image "reg.example.com:5000/a/b:1.2": rpc error: code = NotFound desc = failed to pull and unpack image "reg.example.com:5000/a/b:1.2": failed to resolve reference "reg.example.com:5000/a/b:1.2": reg.example.com:5000/a/b:1.2: not found',
      'reg.example.com:5000/a/b:1.2: not found',
    ],
    [
      'rpc error: code = Unknown desc = outer: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/x.sock: connect: no such file or directory"',
      'dial unix /run/x.sock: connect: no such file or directory',
    ],
    ['rpc error: code = Unavailable desc = ', 'rpc error: code = Unavailable'],
    [
      'E0314 09:26:53.5    1893 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"app\\" with CrashLoopBackOff: \\"back-off 5m0s restarting failed container=app pod=web-0_shop(1f8a)\\"" pod="shop/web-0"',
      'back-off 5m0s restarting failed container=app pod=web-0_shop(1f8a)',
    ],
    [
      'level=fatal msg="cannot begin" error="invalid settings: the range must be given with option --range" subsys=daemon',
      'the range must be given with option --range',
    ],
    ['level=error msg="helper ended" error="exit status 1"', 'helper ended: exit status 1'],
    ['{"level":"error","msg":"sync","error":"get lease: leases.example.com is held by another"}', 'leases.example.com is held by another'],
    [
      'ERROR in start\n\tat a.b.C\nCaused by: a.b.MyException: first\n\tat a.b.D\nCaused by: c.d.SqlException: Connection to db:5432 refused',
      'c.d.SqlException: Connection to db:5432 refused',
    ],
    [
      'Traceback (most recent call last):\n  File "/app/a.py", line 3, in <module>\n    int("x")\nValueError: invalid literal for int() with base 10: \'x\'',
      "ValueError: invalid literal for int() with base 10: 'x'",
    ],
    [
      'panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\nmain.main()',
      'panic: runtime error: index out of range [3] with length 3',
    ],
    ['cannot sync: [first step: disk is not there, second step: no power]', 'disk is not there'],
    ['2 errors occurred:\n\t* first thing: it broke in two\n\t* second thing', 'it broke in two'],
    ['Exception in thread "main" java.lang.OutOfMemoryError: Java heap space', 'java.lang.OutOfMemoryError: Java heap space'],
    [
      'Get "https://10.0.0.1:6443/api": dial tcp 10.0.0.1:6443: connect: connection refused',
      'dial tcp 10.0.0.1:6443: connect: connection refused',
    ],
    ['Get "https://a.example.com/": x509: certificate signed by unknown authority', 'x509: certificate signed by unknown authority'],
    ['dial tcp [fd00:10:96::1]:443: connect: network is unreachable', 'dial tcp [fd00:10:96::1]:443: connect: network is unreachable'],
    ['Liveness probe failed: cat: /tmp/healthy: No such file or directory', 'cat: /tmp/healthy: No such file or directory'],
    [
      'OCI runtime create failed: runc create failed: unable to start container process: exec: "serve": executable file not found in $PATH: unknown',
      'exec: "serve": executable file not found in $PATH',
    ],
    [
      'error mounting "/a" to rootfs at "/b": mount /a:/b (via /proc/self/fd/6), flags: 0x5001: not a directory: unknown',
      'mount /a:/b (via /proc/self/fd/6), flags: 0x5001: not a directory',
    ],
    [
      'misconfiguration: driver: "systemd" differs from driver: "cgroupfs"',
      'misconfiguration: driver: "systemd" differs from driver: "cgroupfs"',
    ],
    [
      'failed to run: swap on is not supported, please disable swap. /proc/swaps contained: [Filename Type]',
      'swap on is not supported, please disable swap.',
    ],
    [
      'mount of volume failed. No retries permitted until 2025-03-14 (wait 2m). Error: volume is held by another node',
      'volume is held by another node',
    ],
    ['0/3 nodes failed: 3 node(s) did not match. preemption: 0/3 nodes are available: 3 No preemption victims', '3 node(s) did not match.'],
    [
      'mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs\nOutput: mount: bad option; you might need a helper program',
      'mount: bad option; you might need a helper program',
    ],
    [
      '2025-03-14 09:26:53.513 [ERROR][45] agent/rules.go 570: Bad return code from \'rules list\'. error=exit status 1 family="inet6" stderr="rules v7.1: set with revision 5 is not supported by userspace\\n"',
      'set with revision 5 is not supported by userspace',
    ],
    [
      '2025-03-14 09:26:53.513 [ERROR][45] agent/health.go 246: Endpoint failed error=listen tcp: lookup stork on 10.7.7.7:53: no such host attempt=4',
      'lookup stork on 10.7.7.7:53: no such host',
    ],
    [
      'E0314 09:26:53.5 1 a.go:2] certificate in /etc/x.conf is expired: 2025-05-25 08:18:10 +0000 UTC',
      'certificate in /etc/x.conf is expired: 2025-05-25 08:18:10 +0000 UTC',
    ],
    [
      '2025/03/14 09:26:53 [emerg] 1#1: host not found in upstream "api" in /etc/nginx/conf.d/a.conf:12',
      'host not found in upstream "api" in /etc/nginx/conf.d/a.conf:12',
    ],
    [
      '2025-03-14 09:26:53 UTC [301]: [1-1] 65a1c3f2.12c 0     FATAL:  could not write lock file "postmaster.pid": No space left on device',
      'could not write lock file "postmaster.pid": No space left on device',
    ],
    ["Error: Cannot find module '/app/server.js'", "Cannot find module '/app/server.js'"],
    ["start failed: [Errno 13] Permission denied: '/data'", "[Errno 13] Permission denied: '/data'"],
    ['打开配置失败：没有那个文件或目录', '打开配置失败: 没有那个文件或目录'],
  ])('of %s', (text, innermost) => {
    expect(readError(text)?.innermost).toBe(innermost);
  });

  it('gives the message without stamp, program and fields', () => {
    const text =
      'Mar 14 09:26:53 node-a kubelet[1893]: E0314 09:26:53.589793    1893 run.go:74] "command failed" err="failed to run: no such flag" pod="a/b"';
    expect(readError(text)?.message).toBe('command failed: failed to run: no such flag');
    expect(readError('shop: Error: out of stock, cannot sell', undefined, 'shop')?.message).toBe('out of stock, cannot sell');
  });
});
