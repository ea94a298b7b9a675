import { describe, expect, it } from 'vitest';
import type { Edited, Splice } from './edit.ts';
import { applySplices, composeSplices, cutText, editInTurn } from './splices.ts';
import { inverse } from './testing-edits.ts';
import type { Random } from './testing-random.ts';
import { randomFrom } from './testing-random.ts';

const LETTERS = ['a', 'b', '\n', 'é', '日', '🙂', ' '];

function word(random: Random, longest: number): string {
  return Array.from({ length: random.number(longest) }, () => random.pick(LETTERS)).join('');
}

/** Cuts at ends of characters only, as editors make them. */
function anyEdit(random: Random): (text: string) => Edited {
  return (text) => {
    const ends = [0];
    for (const letter of text) ends.push((ends.at(-1) ?? 0) + letter.length);
    const places = [0, 1, 2, 3].map(() => random.pick(ends)).sort((one, other) => one - other);
    const [first = 0, second = 0, third = 0, fourth = 0] = places;
    return cutText(text, [
      { from: first, to: second, text: word(random, 4) },
      { from: third, to: fourth, text: word(random, 4) },
    ]);
  };
}

it('makes of edits one after the other a single list of splices with the same outcome', () => {
  for (let seed = 0; seed < 500; seed++) {
    const random = randomFrom(seed);
    const before = word(random, 30);
    const edited = editInTurn(before, [anyEdit(random), anyEdit(random), anyEdit(random)]);
    if (!edited.ok) throw new Error(`seed ${seed}: ${edited.why}`);
    expect(applySplices(before, edited.splices), `seed ${seed}`).toBe(edited.after);
    expect(applySplices(edited.after, inverse(before, edited.splices)), `seed ${seed}`).toBe(before);
  }
});

describe('editInTurn', () => {
  const add = (text: string) => (before: string) => cutText(before, [{ from: 0, to: 0, text }]);

  it('ends at the first refusal', () => {
    expect(editInTurn('', [add('a'), () => ({ ok: false, why: 'no' }), add('b')])).toEqual({ ok: false, why: 'no' });
  });

  it('keeps the notes of all', () => {
    const noted =
      (note: string) =>
      (text: string): Edited => ({ ok: true, after: text, splices: [], notes: [note] });
    expect(editInTurn('x', [noted('one'), add('y'), noted('two')])).toMatchObject({ after: 'yx', notes: ['one', 'two'] });
  });

  it('has no splices where the last edit takes back the first', () => {
    const removed = editInTurn('x', [add('y'), (before) => cutText(before, [{ from: 0, to: 1, text: '' }])]);
    expect(removed).toEqual({ ok: true, after: 'x', splices: [] });
  });
});

describe('what is no edit', () => {
  it.each<readonly Splice[]>([
    [{ from: 2, to: 1, text: '' }],
    [{ from: 0, to: 4, text: '' }],
    [{ from: -1, to: 0, text: '' }],
    [
      { from: 1, to: 3, text: '' },
      { from: 2, to: 3, text: '' },
    ],
  ])('%j', (...splices) => {
    expect(() => applySplices('abc', splices)).toThrow(RangeError);
    expect(() => composeSplices('abc', [], splices)).toThrow(RangeError);
  });

  it('refuses cuts that overlap and text that is not UTF-8', () => {
    expect(
      cutText('abc', [
        { from: 0, to: 2, text: '' },
        { from: 1, to: 3, text: '' },
      ]),
    ).toMatchObject({ ok: false });
    expect(cutText('\uFFFD', [])).toEqual({ ok: false, why: 'The file is not valid UTF-8.' });
    expect(cutText('a\uD800', [])).toEqual({ ok: false, why: 'The file is not valid UTF-8.' });
    expect(cutText('a', [{ from: 0, to: 0, text: '\uDC00' }])).toEqual({ ok: false, why: 'The new value is not valid text.' });
  });
});
