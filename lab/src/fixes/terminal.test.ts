import { describe, expect, it } from 'vitest';
import { onPath } from '../packages.ts';
import { runAtTerminal } from './terminal.ts';

describe.skipIf(!onPath('script'))('runAtTerminal', () => {
  it('gives a program a terminal, and hands over what is typed', async () => {
    const script = '[ -t 0 ] && read -r line && echo "heard $line" && echo asked >&2 && exit "$CODE"';
    const ran = await runAtTerminal(['/bin/sh', '-c', script], 'may lose data\n', { CODE: '7' });
    expect(ran).toEqual({ code: 7, stdout: 'heard may lose data\n', stderr: 'asked\n' });
  });
});
