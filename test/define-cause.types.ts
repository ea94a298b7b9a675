// Checked by the compiler alone: each slip an author may make is an error.
import { defineCause, needs, on, proves, supports } from '../src/causes/define-cause.ts';

const frame = {
  id: 'x',
  area: 'app',
  at: 'Pod',
  maturity: 'sandbox',
  explains: ['crash-loop'],
  verify: { quietForMinutes: 10 },
} as const;

defineCause({
  ...frame,
  text: { name: 'n', title: '{who} does it', why: 'w' },
  clues: { limit: needs('container.memory-limit'), end: proves('container.terminated', ({ exitCode }) => exitCode === 137) },
  says: { limit: 'a', end: 'b' },
  // A needed fact is never undefined; another may be.
  slots: (place, { limit, end }) => ({ who: `${place.name} ${limit.bytes} ${end?.exitCode ?? 0}` }),
  fixes: [{ say: 'do', risk: 'reads-only', steps: [{ say: 'x' }] }],
});

// @ts-expect-error an unknown fact kind
proves('container.exploded');
// @ts-expect-error an impossible comparison
proves('container.terminated', ({ exitCode }) => exitCode === 'x');
// @ts-expect-error a misspelt trigger field
on('container.terminated', { exitcode: 1 });
// @ts-expect-error a field of another type
on('container.terminated', { exitCode: '1' });

defineCause({
  ...frame,
  text: { name: 'n', title: '{who} does it', why: 'w' },
  clues: { end: supports('container.terminated') },
  says: { end: 'b' },
  // @ts-expect-error a forgotten slot
  slots: () => ({}),
  fixes: [],
});

defineCause({
  ...frame,
  text: { name: 'n', title: 't', why: 'w' },
  clues: { end: supports('container.terminated') },
  // @ts-expect-error a clue without words
  says: {},
  slots: () => ({}),
  fixes: [],
});

defineCause({
  ...frame,
  text: { name: 'n', title: 't', why: 'w' },
  clues: { end: supports('container.terminated') },
  says: { end: 'b' },
  // @ts-expect-error a slot of a command that nobody fills
  slots: () => ({}),
  fixes: [{ say: 'do', risk: 'reads-only', steps: [{ say: 'x', run: 'kubectl delete pod {{pod}}' }] }],
});

defineCause({
  ...frame,
  // @ts-expect-error an unknown symptom
  explains: ['sadness'],
  text: { name: 'n', title: 't', why: 'w' },
  clues: { end: supports('container.terminated') },
  says: { end: 'b' },
  slots: () => ({}),
  fixes: [],
});

defineCause({
  ...frame,
  text: { name: 'n', title: 't', why: 'w' },
  clues: { end: supports('container.terminated') },
  says: { end: 'b' },
  slots: () => ({}),
  // @ts-expect-error an unknown risk
  fixes: [{ say: 'do', risk: 'fun', steps: [] }],
});
