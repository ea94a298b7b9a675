import { describe, expect, it } from 'vitest';
import type { Role } from '../model/cause.ts';
import type { Fact } from '../model/facts.ts';
import type { ClueState, Reading } from '../model/finding.ts';
import { weigh } from './weigh.ts';

const fact = (doc: string, hearsay = false): Fact =>
  ({
    kind: 'host.cgroup-version',
    about: 'Node/a',
    version: 2,
    cited: [{ doc, at: { lines: [1, 1] }, quote: '' }],
    ...(hearsay ? { hearsay } : {}),
  }) as Fact;

function reading(role: Role, state: ClueState, doc = 'a.txt', hearsay = false): Reading {
  return {
    name: `${role}-${doc}`,
    clue: { role, from: 'host.cgroup-version', match: () => true },
    state,
    facts: state === 'seen' ? [fact(doc, hearsay)] : [],
    looked: [],
    about: 'Node/a',
  };
}

const verdictOf = (...readings: Reading[]) => {
  const verdict = weigh(readings);
  return verdict.kind === 'found' ? verdict.confidence : verdict.kind;
};

describe('the verdict table', () => {
  it('rules out on a seen exclusion, whatever else is seen', () => {
    expect(verdictOf(reading('proves', 'seen'), reading('needs', 'seen'), reading('excludes', 'seen'))).toBe('ruled-out');
  });

  it('rules out when something necessary was looked for and is not there', () => {
    expect(verdictOf(reading('proves', 'seen'), reading('needs', 'absent'))).toBe('ruled-out');
  });

  it('is certain only with a proof and nothing open', () => {
    expect(verdictOf(reading('proves', 'seen'), reading('needs', 'seen'), reading('excludes', 'absent'))).toBe('certain');
    expect(verdictOf(reading('proves', 'seen'), reading('needs', 'unseen'), reading('excludes', 'absent'))).toBe('probable');
    expect(verdictOf(reading('proves', 'seen'), reading('needs', 'seen'), reading('excludes', 'unseen'))).toBe('probable');
  });

  it('takes two independent supports as probable, one as possible', () => {
    expect(verdictOf(reading('supports', 'seen', 'a.txt'), reading('supports', 'seen', 'b.txt'))).toBe('probable');
    expect(verdictOf(reading('supports', 'seen', 'a.txt'), reading('supports', 'seen', 'a.txt'))).toBe('possible');
    expect(verdictOf(reading('supports', 'seen'))).toBe('possible');
    expect(verdictOf(reading('supports', 'seen', 'a.txt'), reading('supports', 'seen', 'b.txt'), reading('needs', 'unseen'))).toBe(
      'possible',
    );
  });

  it('never proves by hearsay', () => {
    expect(verdictOf(reading('proves', 'seen', 'a.txt', true))).toBe('possible');
    expect(verdictOf(reading('proves', 'seen', 'a.txt', true), reading('supports', 'seen', 'b.txt', true))).toBe('possible');
    expect(verdictOf(reading('proves', 'seen'), reading('needs', 'seen', 'b.txt', true))).toBe('probable');
  });

  it('is undecided with something unseen, and out when all was looked at', () => {
    expect(verdictOf(reading('proves', 'unseen'), reading('supports', 'absent'))).toBe('undecided');
    expect(verdictOf(reading('proves', 'absent'), reading('supports', 'absent'))).toBe('ruled-out');
  });

  it('gives every combination of five clues exactly one verdict, and certainty only by the rule', () => {
    const states: readonly ClueState[] = ['seen', 'absent', 'unseen'];
    let count = 0;
    for (const needs of states)
      for (const proves of states)
        for (const first of states)
          for (const second of states)
            for (const excludes of states) {
              const verdict = verdictOf(
                reading('needs', needs),
                reading('proves', proves),
                reading('supports', first, 'a.txt'),
                reading('supports', second, 'b.txt'),
                reading('excludes', excludes),
              );
              count++;
              expect(['certain', 'probable', 'possible', 'undecided', 'ruled-out']).toContain(verdict);
              expect(verdict === 'certain').toBe(proves === 'seen' && needs === 'seen' && excludes === 'absent');
            }
    expect(count).toBe(243);
  });
});
