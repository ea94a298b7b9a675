import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchScript, outcomeOf } from './launch.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'podcause-launch-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function launch(script: string, seconds = 10): string {
  return spawnSync('/bin/sh', ['-s'], {
    input: launchScript(script, 'a1', 'apply', seconds),
    encoding: 'utf8',
    env: { ...process.env, PODCAUSE_ROOT: root },
  }).stdout;
}

describe('a script handed to a host', () => {
  it('is followed to its end, word by word', () => {
    const log = launch("echo \"@podcause step 1/1 begin it's \\$HOME\"; sleep 0.6; echo '@podcause end done well'");
    expect(log).toBe("@podcause step 1/1 begin it's $HOME\n@podcause end done well\n");
    expect(outcomeOf(log)).toMatchObject({ ending: 'done', says: 'well' });
  });

  it('is unknown, never done, when it is killed', () => {
    expect(outcomeOf(launch('echo begun; kill -9 $$'))).toMatchObject({ ending: 'unknown' });
  });

  it('runs again after it was killed', () => {
    launch('kill -9 $$');
    expect(outcomeOf(launch("echo '@podcause end done'"))).toMatchObject({ ending: 'done' });
  });

  it('goes on when nobody follows any more', () => {
    const first = launch("sleep 2; echo '@podcause end done'", 1);
    expect(outcomeOf(first)).toMatchObject({ ending: 'unknown' });
    // The second call must not begin it anew: it finds it running.
    expect(outcomeOf(launch("echo '@podcause end refused it began twice'"))).toMatchObject({ ending: 'done' });
  });

  it('believes only endings it knows', () => {
    expect(outcomeOf('@podcause end splendid').ending).toBe('unknown');
    expect(outcomeOf('').ending).toBe('unknown');
  });
});
