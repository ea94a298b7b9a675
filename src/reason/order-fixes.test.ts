import { describe, expect, it } from 'vitest';
import type { Fix, Risk } from '../model/cause.ts';
import { orderFixes } from './order-fixes.ts';

function fix(say: string, risk: Risk, ...clues: readonly string[]): Fix {
  return { say, risk, steps: [], ...(clues.length > 0 ? { for: clues } : {}) };
}

const FIXES = [
  fix('look', 'reads-only'),
  fix('plain', 'restarts-pods'),
  fix('full', 'restarts-pods', 'noSpace', 'noInodes'),
  fix('denied', 'touches-node', 'denied'),
  fix('wipe', 'may-lose-data', 'damaged'),
];

const order = (...seen: readonly string[]) => orderFixes(FIXES, new Set(seen)).map(({ say }) => say);

describe('the order of fixes', () => {
  it.each([
    [[], ['look', 'plain', 'full', 'denied', 'wipe']],
    [['noInodes'], ['look', 'full', 'plain', 'denied', 'wipe']],
    [['denied'], ['look', 'denied', 'plain', 'full', 'wipe']],
    [
      ['denied', 'noSpace'],
      ['look', 'full', 'denied', 'plain', 'wipe'],
    ],
  ] as const)('when %j was seen', (seen, expected) => {
    expect(order(...seen)).toEqual(expected);
  });

  it('never brings forward what may lose data', () => {
    expect(order('damaged').at(-1)).toBe('wipe');
  });
});
