import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { labPaths } from '../settings.ts';
import { asCommand, chooser, viaOf } from './way.ts';

describe('the way to a node', () => {
  it('keeps every word whole in a shell', () => {
    const words = ['printf', '%s|', 'a b', "it's", '$(echo no)', '-o', 'Name=x'];
    expect(execFileSync('/bin/sh', ['-c', asCommand(words)], { encoding: 'utf8' })).toBe("a b|it's|$(echo no)|-o|Name=x|");
  });

  it('leads to a virtual machine by ssh from beside its bridge', () => {
    expect(viaOf(labPaths('/nowhere', { PODCAUSE_LAB_STATE: '/state' }), 'vm-a')).toMatch(
      /^nsenter --net=\/run\/netns\/\S+ ssh .*-i \/state\/nodes\/vm-a\/key .*root@[\d.]+$/,
    );
  });

  it('leads nowhere while a node is down', () => {
    expect(() => viaOf(labPaths('/nowhere', { PODCAUSE_LAB_STATE: '/nowhere' }), 'worker-a')).toThrow('worker-a is not up');
  });
});

describe('the way to one of several nodes', () => {
  const text = chooser(
    new Map([
      ['east', 'echo e'],
      ['west', 'echo w'],
    ]),
  );
  const run = (...args: readonly string[]) => spawnSync('sh', ['-s', ...args], { input: text, encoding: 'utf8' });

  it('is chosen by the name, with what follows it', () => {
    expect(run('west', '/bin/sh', '-s').stdout).toBe('w /bin/sh -s\n');
  });

  it('is refused for a node that is not there', () => {
    expect(run('north').status).toBe(1);
  });
});
