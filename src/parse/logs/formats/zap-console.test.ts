import { describe, expect, it } from 'vitest';
import { parseZapConsole } from './zap-console.ts';

const WHEN = Date.UTC(2024, 0, 2, 3, 4, 5, 678);

describe('parseZapConsole', () => {
  it.each([
    '2024-01-02T03:04:05.678Z\tERROR\tsetup\tmain.go:12\tunable to start manager\t{"error": "no kind match", "n": 2}',
    '2024-01-02T03:04:05.678Z    ERROR    setup    main.go:12    unable to start manager    {"error": "no kind match", "n": 2}',
    '1704164645.678\tERROR\tsetup\tmain.go:12\tunable to start manager\t{"error": "no kind match", "n": 2}',
  ])('%j', (line) => {
    expect(parseZapConsole(line)).toMatchObject({
      format: 'zap',
      when: WHEN,
      level: 'error',
      component: 'setup',
      source: 'main.go:12',
      message: 'unable to start manager',
      fields: { error: 'no kind match', n: '2' },
    });
  });

  it('reads a line of level and message only', () => {
    expect(parseZapConsole('2024-01-02T03:04:05.678Z\tinfo\tstarting')).toMatchObject({ level: 'info', message: 'starting' });
  });

  it.each(['2024-01-02T03:04:05.678Z starting', '1704164645.678 things', 'INFO\tx'])('refuses %j', (line) => {
    expect(parseZapConsole(line)).toBeUndefined();
  });
});
