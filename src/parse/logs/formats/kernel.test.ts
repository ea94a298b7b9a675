import { describe, expect, it } from 'vitest';
import { parseLogLine } from '../parse-line.ts';

describe('kernel lines', () => {
  it.each([
    '[12345.678901] nf_conntrack: table full, dropping packet',
    '[    5.678901] nf_conntrack: table full, dropping packet',
    '[12345.678901][ T1234] nf_conntrack: table full, dropping packet',
    'kern  :warn  : [12345.678901] nf_conntrack: table full, dropping packet',
    '<4>[12345.678901] nf_conntrack: table full, dropping packet',
    '[Sat Nov 16 10:00:00 2024] nf_conntrack: table full, dropping packet',
    'Nov 16 10:00:00 node-a kernel: nf_conntrack: table full, dropping packet',
    'Nov 16 10:00:00 node-a kernel: [12345.678901] nf_conntrack: table full, dropping packet',
  ])('%s', (line) => {
    expect(parseLogLine(line)).toMatchObject({ unit: 'kernel', message: 'nf_conntrack: table full, dropping packet' });
  });

  it('keeps the wall clock, and the level where one is printed', () => {
    expect(parseLogLine('[Sat Nov 16 10:00:00 2024] x: y')?.when).toBe(Date.UTC(2024, 10, 16, 10));
    expect(parseLogLine('kern  :err   : [1.000001] x')?.level).toBe('error');
  });

  it("reads the audit daemon's file", () => {
    expect(parseLogLine('type=AVC msg=audit(1700000000.123:456): avc:  denied  { read } for  pid=1')).toMatchObject({
      unit: 'kernel',
      when: 1_700_000_000_123,
      message: 'type=AVC avc:  denied  { read } for  pid=1',
    });
  });

  it.each(['[root@node-a ~]# dmesg', '[preflight] Running pre-flight checks', '[WARNING Swap]: swap is on', '[1/3] Building'])(
    'refuses %s',
    (line) => {
      expect(parseLogLine(line)).toBeUndefined();
    },
  );
});
