import { describe, expect, it } from 'vitest';
import { runShell } from './run-shell.ts';

const ENVIRONMENT = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
const ROOMY = { seconds: 30, bytes: 1000, keep: 'head', environment: ENVIRONMENT } as const;

describe('a command', () => {
  it('shows what it prints on either output', async () => {
    const shown = await runShell('echo out; echo error >&2; exit 3', ROOMY);
    expect(shown).toEqual({ text: 'out\nerror\n', cut: false, late: false });
  });

  it('sees only the environment it is given, and no input', async () => {
    const { text } = await runShell('echo "[$HOME][$given]"; cat', { ...ROOMY, environment: { ...ENVIRONMENT, given: 'x y' } });
    expect(text).toBe('[][x y]\n');
  });

  it('that hangs is ended with what it started, and what it said before is kept', async () => {
    const shown = await runShell('echo begins; (sleep 300; echo never) & wait', { ...ROOMY, seconds: 1 });
    expect(shown).toEqual({ text: 'begins\n', cut: false, late: true });
  });

  it('that ignores being ended is killed', async () => {
    const shown = await runShell("trap '' TERM; echo stays; while :; do sleep 1; done", { ...ROOMY, seconds: 1 });
    expect(shown).toEqual({ text: 'stays\n', cut: false, late: true });
  });

  it('that never stops printing is cut at whole lines', async () => {
    const { text, cut } = await runShell('yes line', { ...ROOMY, bytes: 23 });
    expect([text, cut]).toEqual(['line\n'.repeat(4), true]);
  });

  it('keeps the end of a log', async () => {
    const { text, cut } = await runShell('seq 1 20000', { ...ROOMY, bytes: 20, keep: 'tail' });
    expect([text, cut]).toEqual(['19998\n19999\n20000\n', true]);
  });
});
