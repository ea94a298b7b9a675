import { describe, expect, it } from 'vitest';
import { holdsWithin, must, runCommand, TIMED_OUT } from './run-command.ts';

describe('runCommand', () => {
  it('hands over input and gives back what was printed', async () => {
    const ran = await runCommand('sh', ['-c', 'cat; echo trouble >&2; exit 3'], { input: 'salt' });
    expect(ran).toEqual({ code: 3, stdout: 'salt', stderr: 'trouble\n' });
  });

  it('ends a program that takes too long, with its children', async () => {
    const ran = await runCommand('sh', ['-c', 'sleep 600 & echo $!; wait'], { timeoutSeconds: 0.3 });
    expect(ran.code).toBe(TIMED_OUT);
    const child = Number(ran.stdout.trim());
    expect(child).toBeGreaterThan(1);
    expect(await holdsWithin(5, async () => !isThere(child), 20)).toBe(true);
  });

  it('says that a program is not there', async () => {
    const ran = await runCommand('no-such-program-here', []);
    expect(ran.code).toBe(127);
    expect(ran.stderr).toContain('ENOENT');
  });

  it('survives a program that does not read its input', async () => {
    const ran = await runCommand('true', [], { input: 'x'.repeat(1 << 20) });
    expect(ran.code).toBe(0);
  });
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('must', () => {
  it('throws with the command and its last words', async () => {
    await expect(must('sh', ['-c', 'echo no room >&2; exit 4'])).rejects.toThrow(/ended with 4: no room/);
  });
});

describe('holdsWithin', () => {
  it('asks again until it holds', async () => {
    let asked = 0;
    expect(await holdsWithin(5, async () => ++asked === 3, 1)).toBe(true);
    expect(asked).toBe(3);
  });

  it('gives up, after having asked at least once', async () => {
    let asked = 0;
    const never = async (): Promise<boolean> => {
      asked += 1;
      return false;
    };
    expect(await holdsWithin(0, never, 1)).toBe(false);
    expect(asked).toBe(1);
  });
});
