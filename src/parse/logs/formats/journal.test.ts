import { describe, expect, it } from 'vitest';
import { parseLogLine } from '../parse-line.ts';
import { parseJournalLeftOver } from './journal.ts';

const WHEN = Date.UTC(2024, 6, 19, 12, 54, 58);

describe('journal lines', () => {
  it.each([
    ['short', 'Jul 19 12:54:58 node-a systemd[1]: Started x.', undefined],
    ['one-digit day', 'Jul  9 12:54:58 node-a systemd[1]: Started x.', undefined],
    ['short-precise', 'Jul 19 12:54:58.445104 node-a systemd[1]: Started x.', undefined],
    ['another language', '7月 19 12:54:58 node-a systemd[1]: Started x.', undefined],
    ['with its year', 'Jul 19 2024 12:54:58 node-a systemd[1]: Started x.', WHEN],
    ['short-iso', '2024-07-19T20:54:58+0800 node-a systemd[1]: Started x.', WHEN],
    ['short-iso, newer', '2024-07-19T20:54:58+08:00 node-a systemd[1]: Started x.', WHEN],
    ['short-iso-precise', '2024-07-19T20:54:58.000001+08:00 node-a systemd[1]: Started x.', WHEN],
    ['short-full', 'Fri 2024-07-19 12:54:58 UTC node-a systemd[1]: Started x.', WHEN],
    ['short-unix', '1721393698.000000 node-a systemd[1]: Started x.', WHEN],
    ['short-monotonic', '[ 1234.567890] node-a systemd[1]: Started x.', undefined],
    ['syslog', '<30>Jul 19 12:54:58 node-a systemd[1]: Started x.', undefined],
    ['syslog of RFC 5424', '<30>1 2024-07-19T12:54:58Z node-a systemd 1 - - Started x.', WHEN],
    ['stamp lost', ' node-a systemd[1]: Started x.', undefined],
    ['stamp half lost', '19 12:54:58 node-a systemd[1]: Started x.', undefined],
    ['pasted into a list', '   Jul 19 12:54:58 node-a systemd[1]: Started x.', undefined],
  ])('%s', (_, line, when) => {
    const parsed = parseLogLine(line);
    expect(parsed).toMatchObject({ format: 'journal', host: 'node-a', unit: 'systemd', pid: 1, message: 'Started x.' });
    expect(parsed?.when).toBe(when);
  });

  it('reads -o json, also when the message is bytes', () => {
    const entry = {
      __REALTIME_TIMESTAMP: String(WHEN * 1000),
      _HOSTNAME: 'node-a',
      SYSLOG_IDENTIFIER: 'kubelet',
      _PID: '914',
      PRIORITY: '3',
    };
    const expected = { host: 'node-a', unit: 'kubelet', pid: 914, when: WHEN, level: 'error', message: 'down' };
    expect(parseLogLine(JSON.stringify({ ...entry, MESSAGE: 'down' }))).toMatchObject(expected);
    expect(parseLogLine(JSON.stringify({ ...entry, MESSAGE: [100, 111, 119, 110] }))).toMatchObject(expected);
  });

  it('takes klog and logfmt out of it', () => {
    expect(parseLogLine('Jul 19 12:54:58 node-a kubelet[914]: E0719 12:54:58.447705     914 kubelet.go:1] "Down" err="x"')).toMatchObject({
      format: 'klog',
      host: 'node-a',
      unit: 'kubelet',
      level: 'error',
      message: 'Down',
      fields: { err: 'x' },
      source: 'kubelet.go:1',
    });
    expect(parseLogLine('Jul 19 12:54:58 node-a containerd[7]: time="2024-07-19T20:54:58+08:00" level=error msg="no space"')).toMatchObject(
      {
        format: 'logfmt',
        unit: 'containerd',
        level: 'error',
        message: 'no space',
        when: WHEN,
      },
    );
  });

  it('reads lines without host or process id', () => {
    expect(parseLogLine('Jul 19 12:54:58 kubelet[914]: up')).toMatchObject({ unit: 'kubelet', pid: 914, message: 'up' });
    expect(parseLogLine('Jul 19 12:54:58 node-a kernel: eth0: link down')).toMatchObject({
      host: 'node-a',
      unit: 'kernel',
      message: 'eth0: link down',
    });
  });

  it('tells the kernel from the journal where both start with seconds', () => {
    expect(parseLogLine('[ 1234.567890] app[77]: segfault at 0 ip 0 sp 0 error 4')).toMatchObject({
      format: 'kernel',
      message: 'app[77]: segfault at 0 ip 0 sp 0 error 4',
    });
  });
});

describe('what a paste left over', () => {
  it('counts for known daemons, or before another log line', () => {
    expect(parseLogLine('kubelet: F0825 03:39:04.876379   13808 server.go:273] failed to run Kubelet: x')).toMatchObject({
      unit: 'kubelet',
      level: 'fatal',
    });
    expect(parseLogLine('mydaemon[12]: time="2024-07-19T12:54:58Z" level=info msg=up')).toMatchObject({ unit: 'mydaemon', message: 'up' });
  });

  it.each(['spec.containers[0]: Required value', 'status: Running', 'kubelet: not installed', 'see note[1]: it helps'])(
    'does not count in %s',
    (line) => {
      expect(parseLogLine(line)).toBeUndefined();
      expect(parseJournalLeftOver(line, () => false)).toBeUndefined();
    },
  );
});
