import { describe, expect, it } from 'vitest';
import { parseLogLine } from '../parse-line.ts';

const WHEN = Date.UTC(2024, 0, 2, 3, 4, 5, 678);

describe("containers' logs behind a prefix", () => {
  it('reads the files of the CRI, with what they hold', () => {
    expect(parseLogLine('2024-01-02T03:04:05.678901234Z stderr F plain text')).toMatchObject({
      format: 'cri',
      when: WHEN,
      message: 'plain text',
    });
    expect(parseLogLine('2024-01-02T11:04:05.678+08:00 stdout F I0102 03:04:05.000001       1 a.go:1] "Up" port=80')).toMatchObject({
      format: 'klog',
      when: WHEN,
      message: 'Up',
      fields: { port: '80' },
    });
    expect(parseLogLine('2024-01-02T03:04:05.678Z stdout P {"level":"in')?.open).toBe('partial');
    expect(parseLogLine('2024-01-02T03:04:05.678Z stdout F ')).toMatchObject({ format: 'cri', message: '' });
  });

  it('reads kubectl logs --timestamps', () => {
    expect(parseLogLine('2024-01-02T03:04:05.678901234Z Listening on :8080')).toMatchObject({
      format: 'kubectl',
      when: WHEN,
      message: 'Listening on :8080',
    });
    expect(parseLogLine('2024-01-02T03:04:05.67Z 2024/01/02 03:04:05 watcher failed: too many open files')).not.toHaveProperty('host');
    for (const message of ['exec /app: exec format error', 'Unhandled exception: no settings', 'worker pool: 3 idle'])
      expect(parseLogLine(`2024-01-02T03:04:05.678901234Z ${message}`)).toEqual({
        format: 'kubectl',
        when: WHEN,
        timeText: '2024-01-02T03:04:05.678901234Z',
        message,
      });
    expect(parseLogLine('2024-01-02T03:04:05.678Z time="2024-01-02T03:04:05Z" level=fatal msg="no config"')).toMatchObject({
      format: 'logfmt',
      level: 'fatal',
      message: 'no config',
      when: WHEN,
    });
    expect(parseLogLine('2024-01-02T03:04:05.678Z [FATAL] plugin/loop: Loop detected')).toMatchObject({
      level: 'fatal',
      message: 'plugin/loop: Loop detected',
    });
  });

  it('reads kubectl logs --prefix, with time stamps too', () => {
    expect(parseLogLine('[pod/web-6f7-x2/app] 2024-01-02T03:04:05.678Z ERROR boom')).toMatchObject({
      pod: 'web-6f7-x2',
      container: 'app',
      when: WHEN,
      level: 'error',
      message: 'boom',
    });
    expect(parseLogLine('[pod/web-6f7-x2/app] just text')).toMatchObject({ format: 'kubectl', container: 'app', message: 'just text' });
  });
});
