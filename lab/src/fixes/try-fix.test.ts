import { describe, expect, it } from 'vitest';
import type { Lab, Ran } from '../lab.ts';
import type { FixCase } from './fix-case.ts';
import type { Bench } from './trial.ts';
import { isHeld, tryFix } from './try-fix.ts';

const printed = (value: unknown, code = 0): Ran => ({ code, stdout: JSON.stringify(value), stderr: '' });

interface World {
  state: string;
  readonly calls: string[];
  readonly notes: string[];
}

type Answer = (world: World) => Ran;

/** A podcause that says and does what it is told, in place of the real one in the real lab. */
const answers: Readonly<Record<string, Answer>> = {
  plan: () => printed({ steps: [{}], refused: [], warnings: ['docker is restarted'], affected: [], risk: 'touches-node' }),
  apply: (world) => {
    world.state = 'mended';
    return printed({ id: 'f1', outcome: 'fixed', says: '', steps: [{}] });
  },
  verify: () => printed({ id: '1', outcome: 'fixed', says: '', steps: [] }),
  undo: (world) => {
    world.state = 'broken';
    return printed('undone');
  },
  list: () => printed([{ id: 'f1', state: 'undone' }]),
};

function wordOf(args: readonly string[]): string {
  if (args[0] === 'fix') return args.includes('--apply') ? 'apply' : 'plan';
  return args[0] === 'undo' && !args.includes('--apply') ? 'list' : (args[0] ?? '');
}

async function tried(change: Partial<FixCase> = {}, other: Readonly<Record<string, Answer>> = {}): Promise<World> {
  const world: World = { state: 'broken', calls: [], notes: [] };
  const lab = {
    podcause: async (args: readonly string[]) => {
      world.calls.push(args.join(' '));
      const word = wordOf(args);
      return (other[word] ?? answers[word] ?? (() => printed(null, 3)))(world);
    },
  } as unknown as Lab;
  const bench: Bench = {
    lab,
    namespace: 'lab-x',
    report: '/r.json',
    via: (node) => `enter ${node}`,
    atTerminal: (args, typed) => lab.podcause([...args, typed]),
    note: (column, says) => world.notes.push(`${column}: ${says}`),
  };
  const proofs = [{ what: 'it runs', withinSeconds: 0, holds: async () => world.state === 'mended' }];
  await tryFix({ scenario: {} as FixCase['scenario'], state: async () => world.state, proofs, ...change }, bench);
  return world;
}

describe('tryFix', () => {
  it('plans, applies, verifies and undoes by the same way', async () => {
    const world = await tried({ node: 'worker-a', set: ['image=a:1'], planShows: [/docker/] });
    expect(world.notes).toEqual(['plan: 1 steps, touches-node', 'applied: fixed, 1 steps', 'verified: fixed', 'undone: as before']);
    expect(world.calls[0]).toBe('fix /r.json -i 1 --set image=a:1 --via enter worker-a -o json');
    expect(world.calls.every((call) => call.includes('--via enter worker-a'))).toBe(true);
    expect(world.calls.at(-2)).toContain('undo f1 --apply --node worker-a');
  });

  it('catches a plan that writes', async () => {
    const plan: Answer = (world) => {
      world.state = 'touched';
      return printed({ steps: [{}], refused: [], risk: 'touches-node' });
    };
    await expect(tried({}, { plan })).rejects.toThrow('by showing the plan');
  });

  it('catches a plan that cannot be done, or does not warn', async () => {
    await expect(tried({}, { plan: () => printed({ steps: [], refused: ['no systemd'] }) })).rejects.toThrow('no systemd');
    await expect(tried({ planShows: [/production/] })).rejects.toThrow('does not say production');
  });

  it('catches what is not fixed, or only says so', async () => {
    const not: Answer = () => printed({ id: 'f1', outcome: 'not-fixed', says: 'the cause still shows', steps: [] });
    await expect(tried({}, { apply: not })).rejects.toThrow('the cause still shows');
    await expect(tried({}, { apply: () => printed({ id: 'f1', outcome: 'fixed', steps: [] }) })).rejects.toThrow(
      'not so after the fix: it runs',
    );
    await expect(tried({}, { verify: not })).rejects.toThrow('podcause verify says not-fixed');
  });

  it('catches an undo that brings nothing back, or is not in the journal', async () => {
    await expect(tried({}, { undo: () => printed('undone') })).rejects.toThrow('undo did not bring this back');
    await expect(tried({}, { list: () => printed([{ id: 'f1', state: 'done' }]) })).rejects.toThrow('the journals call it done');
  });

  it('asks a person where one is needed', async () => {
    const world = await tried({ typed: 'may lose data\n' });
    expect(world.calls[1]).toContain('may lose data');
  });
});

describe('isHeld', () => {
  it('knows a refusal that only means: later', () => {
    expect(isHeld('another fix is under way, by root@lab:7')).toBe(true);
    expect(isHeld('the object was changed meanwhile')).toBe(false);
  });
});
