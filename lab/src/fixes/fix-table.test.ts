import { describe, expect, it } from 'vitest';
import { skipped } from '../runner/table.ts';
import { fixTable, rowOf } from './fix-table.ts';
import type { Column } from './trial.ts';

const well = {
  scenario: 'kubelet-stopped',
  expected: '',
  said: '',
  seconds: 61.4,
  problems: [],
};

const notes: ReadonlyMap<Column, string> = new Map<Column, string>([
  ['plan', '2 steps, touches-node'],
  ['applied', 'fixed, 2 steps'],
  ['verified', 'fixed'],
  ['undone', 'as before'],
]);

describe('fixTable', () => {
  it('shows how far each cause came', () => {
    expect(fixTable([rowOf(well, 'kubelet-unit-stopped', notes)])).toBe(
      [
        '   | cause                | plan                  | applied        | verified | undone    | seconds',
        'ok | kubelet-unit-stopped | 2 steps, touches-node | fixed, 2 steps | fixed    | as before | 61',
        '',
        'all 1 as expected',
      ].join('\n'),
    );
  });

  it('names what did not hold, and what was not tried', () => {
    const missed = { ...well, problems: ['podcause verify says not-fixed'] };
    const text = fixTable([
      rowOf(missed, 'kubelet-unit-stopped', new Map()),
      rowOf(skipped('oom-limit'), 'oom-container-limit', new Map()),
    ]);
    expect(text).toContain('MISS | kubelet-unit-stopped | -');
    expect(text).toContain('kubelet-stopped: podcause verify says not-fixed');
    expect(text).toMatch(/1 of 1 missed, not run for lack of time: oom-limit$/);
  });
});
