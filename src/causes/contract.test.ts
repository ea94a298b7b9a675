import { describe, expect, it } from 'vitest';
import type { Cause, Fix } from '../model/cause.ts';
import { contractProblems } from './contract.ts';
import { cause } from './resource/inotify-limits-exhausted/cause.ts';

const step = { say: 'look at it', run: 'sysctl fs.inotify', on: 'node' } as const;
const raise = { do: 'sysctl', key: 'fs.inotify.max_user_instances', value: '8192' } as const;

function withFixes(...fixes: readonly Fix[]): Cause {
  return { ...cause, fixes };
}

describe('the contract of a cause', () => {
  it('is kept by one of the catalogue', () => {
    expect(contractProblems(cause)).toEqual([]);
  });

  it.each<readonly [string, Cause, RegExp]>([
    ['words alone', withFixes({ say: 'Have less of them', risk: 'reads-only', steps: [{ say: 'somehow' }] }), /words alone/],
    ['no steps', withFixes({ say: 'Raise the limit', risk: 'touches-node', steps: [], changes: [raise] }), /needs a title and steps/],
    ['no risk', withFixes({ say: 'Raise the limit', steps: [step] } as unknown as Fix), /needs a risk/],
    [
      'changes nobody could verify',
      withFixes({ say: 'Raise the limit', risk: 'touches-node', steps: [step], changes: [raise] }),
      /how one knows that it worked/,
    ],
    ['changes that are none', withFixes({ say: 'Raise the limit', risk: 'touches-node', steps: [step], changes: [] }), /empty list/],
    [
      'a change of the host called harmless',
      withFixes({ say: 'Raise the limit', risk: 'restarts-pods', steps: [step], changes: [raise] }),
      /at least of risk touches-node/,
    ],
    [
      'a finalizer that goes without a warning',
      withFixes({
        say: 'Let it go',
        risk: 'moves-pods',
        steps: [step],
        changes: [{ do: 'remove-finalizer', object: 'Pod/shop/web', finalizer: 'example.com/flush' }],
      }),
      /at least of risk may-lose-data/,
    ],
    [
      'a slot of a change that nobody fills',
      withFixes({ say: 'Raise the limit', risk: 'touches-node', steps: [step], changes: [{ ...raise, value: '{{plenty}}' }] }),
      /\{plenty\} stays empty/,
    ],
    [
      'a slot of a command that nobody fills',
      withFixes({ say: 'Raise the limit', risk: 'touches-node', steps: [{ ...step, run: 'sysctl {{key}}' }] }),
      /\{key\} stays empty/,
    ],
    ['no time after which it is fixed', { ...cause, verify: { quietForMinutes: 0 } }, /quietForMinutes/],
  ])('is broken by %s', (_name, broken, says) => {
    expect(contractProblems(broken).join('\n')).toMatch(says);
  });
});
