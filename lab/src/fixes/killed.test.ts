import { describe, expect, it } from 'vitest';
import { roundsOf } from './killed.ts';

describe('roundsOf', () => {
  it('kills at every boundary, and goes on in both ways', () => {
    expect(roundsOf(['1.begun', 'undo.1.done'])).toEqual([
      { at: '1.begun', killed: 'apply', next: 'apply', leaves: 'new' },
      { at: '1.begun', killed: 'apply', next: 'undo', leaves: 'old' },
      { at: 'undo.1.done', killed: 'undo', next: 'apply', leaves: 'old' },
      { at: 'undo.1.done', killed: 'undo', next: 'undo', leaves: 'old' },
    ]);
  });
});
