import { describe, expect, it } from 'vitest';
import { chosenIds, parseRunArguments } from './arguments.ts';

describe('parseRunArguments', () => {
  it('reads ids and flags in any order', () => {
    const read = parseRunArguments(['--record', 'quota', '--jobs=3', 'webhook-down', '--keep', '--minutes=20']);
    expect(read).toMatchObject({ ids: ['quota', 'webhook-down'], record: true, keep: true, jobs: 3, minutes: 20, all: false });
  });

  it.each(['--jobs=0', '--jobs=x', '--recrod', '-a'])('refuses %s', (flag) => {
    expect(() => parseRunArguments([flag])).toThrow(`run does not know ${flag}`);
  });
});

describe('chosenIds', () => {
  it('takes all, or those named, and refuses what there is not', () => {
    const known = ['a', 'b', 'c'];
    expect(chosenIds(parseRunArguments(['--all']), known)).toEqual(known);
    expect(chosenIds(parseRunArguments(['c', 'a']), known)).toEqual(['c', 'a']);
    expect(() => chosenIds(parseRunArguments(['d']), known)).toThrow('no scenario d; there are: a, b, c');
    expect(() => chosenIds(parseRunArguments([]), known)).toThrow('--all');
  });
});
