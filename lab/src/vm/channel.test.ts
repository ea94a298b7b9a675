import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { quoted, sshArguments } from './channel.ts';

it('a shell reads quoted text back as it was', () => {
  for (const text of ["it's", 'a "b" $c `d` \\e', "''", 'two\nlines', '']) {
    expect(execFileSync('sh', ['-c', `printf %s ${quoted(text)}`], { encoding: 'utf8' })).toBe(text);
  }
});

it('ssh takes nothing from the settings of the user and asks nothing', () => {
  const words = sshArguments('/var/lib/lab/vm-a', '10.77.0.21');
  expect(words.slice(0, 2)).toEqual(['-F', '/dev/null']);
  expect(words).toContain('BatchMode=yes');
  expect(words.at(-1)).toBe('root@10.77.0.21');
});
