import { describe, expect, it } from 'vitest';
import { parseLogfmt, parseLogrusTerminal } from './logfmt.ts';

describe('parseLogfmt', () => {
  it('reads containerd, nanoseconds and all', () => {
    expect(
      parseLogfmt('time="2024-01-02T03:04:05.123456789Z" level=error msg="failed \\"x\\"" error="no space left" id=ab namespace=k8s.io'),
    ).toEqual({
      format: 'logfmt',
      level: 'error',
      when: Date.UTC(2024, 0, 2, 3, 4, 5, 123),
      timeText: '2024-01-02T03:04:05.123456789Z',
      message: 'failed "x"',
      fields: { error: 'no space left', id: 'ab', namespace: 'k8s.io' },
    });
  });

  it.each([
    ['level=warning msg="low on maps" subsys=daemon', 'warning', 'low on maps'],
    ['ts=2024-01-02T03:04:05.123Z caller=main.go:12 level=warn msg=slow', 'warning', 'slow'],
    ['time=2024-01-02T03:04:05Z level=INFO source=/src/a.go:1 msg="up and running" module=agent', 'info', 'up and running'],
    ['t=2024-01-02T03:04:05+0000 lvl=eror msg=x level=error', 'error', 'x'],
    ['msg="order" level=fatal', 'fatal', 'order'],
  ])('%s', (line, level, message) => {
    expect(parseLogfmt(line)).toMatchObject({ level, message });
  });

  it.each(['time=12', 'level=high and rising', 'msg=alone', 'timeout=5s level=info'])('refuses %s', (line) => {
    expect(parseLogfmt(line)).toBeUndefined();
  });
});

describe('parseLogrusTerminal', () => {
  it('splits the fields off only where nothing but fields follows', () => {
    expect(
      parseLogrusTerminal('ERRO[0012] cannot mount volume                           error="exit status 32" volume=data'),
    ).toMatchObject({
      format: 'logrus',
      level: 'error',
      message: 'cannot mount volume',
      fields: { error: 'exit status 32', volume: 'data' },
    });
    expect(parseLogrusTerminal('FATA[2024-01-02T03:04:05Z] flag --a=b is gone')).toMatchObject({
      level: 'fatal',
      when: Date.UTC(2024, 0, 2, 3, 4, 5),
      message: 'flag --a=b is gone',
    });
  });
});
