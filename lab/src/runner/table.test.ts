import { describe, expect, it } from 'vitest';
import { isGood, type Outcome, skipped, table } from './table.ts';

const good: Outcome = { scenario: 'quota', expected: 'a', said: 'a', seconds: 12.4, problems: [] };
const wrong: Outcome = { scenario: 'webhook-down', expected: 'bb', said: 'c', seconds: 3, problems: ['cause is c, not bb'] };

describe('table', () => {
  it('aligns, marks misses and tells them below', () => {
    expect(table([good, wrong]).split('\n')).toEqual([
      '      scenario      expected  said      seconds',
      'ok    quota         a         the same  12',
      'MISS  webhook-down  bb        c         3',
      '',
      'webhook-down: cause is c, not bb',
      '1 of 2 missed',
    ]);
  });

  it('names what there was no time for, and whose fault that is', () => {
    const text = table([good, skipped('late'), skipped('later')]);
    expect(text).toMatch(/^- {3}late +left out for time/m);
    expect(text).toMatch(/this machine is too slow for all of them; left out for time: late, later\nall 1 as expected$/);
  });

  it('says which were tried twice', () => {
    const text = table([good, { ...good, scenario: 'crash', triedAgain: true }]);
    expect(text).toMatch(/^ok, 2nd {2}crash/m);
    expect(text).toContain('tried twice: crash\n');
  });

  it('says so when all went well', () => {
    expect(table([good])).toMatch(/all 1 as expected$/);
  });
});

describe('isGood', () => {
  it('bears no miss, whatever else is right', () => {
    expect(isGood([good])).toBe(true);
    expect(isGood([...Array.from({ length: 99 }, () => good), wrong])).toBe(false);
  });

  it('bears a fault that never came about as little', () => {
    expect(isGood([good, { ...good, said: 'nothing', problems: ['never came to be: a crash (within 60 s)'] }])).toBe(false);
  });

  it('takes what was left out for no miss, and a run of nothing for no proof', () => {
    expect(isGood([good, skipped('late')])).toBe(true);
    expect(isGood([skipped('late')])).toBe(false);
    expect(isGood([])).toBe(false);
  });
});
