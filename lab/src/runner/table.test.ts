import { describe, expect, it } from 'vitest';
import { table } from './table.ts';

describe('table', () => {
  it('aligns, marks misses and tells them below', () => {
    const text = table([
      { scenario: 'quota', expected: 'a', said: 'a', seconds: 12.4, problems: [] },
      { scenario: 'webhook-down', expected: 'bb', said: 'c', seconds: 3, problems: ['cause is c, not bb'] },
    ]);
    expect(text.split('\n')).toEqual([
      '      scenario      expected  said      seconds',
      'ok    quota         a         the same  12',
      'MISS  webhook-down  bb        c         3',
      '',
      'webhook-down: cause is c, not bb',
      '1 of 2 missed',
    ]);
  });

  it('says so when all went well', () => {
    expect(table([{ scenario: 'quota', expected: 'a', said: 'a', seconds: 1, problems: [] }])).toMatch(/all 1 as expected$/);
  });
});
