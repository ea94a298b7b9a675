import { describe, expect, it } from 'vitest';
import type { Fix, Risk } from './cause.ts';
import { fixesFor } from './fixes-for.ts';

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

describe('the fixes for what was seen', () => {
  it.each([
    [[], ['look', 'plain', 'full', 'denied', 'wipe']],
    [['noInodes'], ['look', 'full', 'plain']],
    [['denied'], ['look', 'denied', 'plain']],
    [
      ['denied', 'noSpace'],
      ['look', 'full', 'denied', 'plain'],
    ],
    [['damaged'], ['look', 'plain', 'wipe']],
  ] as const)('%j', (seen, expected) => {
    expect(fixesFor(FIXES, new Set<string>(seen)).map(({ say }) => say)).toEqual(expected);
  });

  it('never leave a finding without a fix', () => {
    const faces = [fix('port', 'restarts-pods', 'port'), fix('file', 'touches-node', 'file')];
    expect(fixesFor(faces, new Set())).toEqual(faces);
  });
});
