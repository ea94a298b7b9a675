import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { redacted, redactionCommand } from './redactions.ts';

const LINES = [
  'plain text with a token in it, and auth too',
  'token: not quoted is left to those who read it',
  'http://joan:hush@registry.example/v2 and https://plain.example/x@y',
  '  [plugins."io.containerd.grpc.v1.cri".registry.configs."r.example".auth]',
  '    username = "joan"',
  '    password = "hush"',
  '    identitytoken = "hush"',
  '"auth": "am9hbjpodXNo"',
  'Bearer abcdefgh.ijk, eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3.c2lnbmF0dXJl',
  '-----BEGIN PRIVATE KEY-----',
  'hush',
  '-----END PRIVATE KEY-----',
  'last',
].join('\n');

describe('secrets of a host', () => {
  it('are taken out by the shell as by us', () => {
    const ours = redacted(LINES);
    const theirs = execFileSync('/bin/sh', ['-c', redactionCommand()], { input: `${LINES}\n`, encoding: 'utf8' });
    expect(theirs).toBe(`${ours}\n`);
    expect(ours).not.toMatch(/hush|am9hb|abcdefgh|eyJ/);
    expect(ours.split('\n')).toContain('plain text with a token in it, and auth too');
    expect(ours).toContain('https://plain.example/x@y');
  });

  it('of a key that is cut off go to the end', () => {
    expect(redacted('a\n-----BEGIN RSA PRIVATE KEY-----\nhush')).toBe('a');
  });

  it('are sought in a long line without going back and forth in it', () => {
    const [slashes, words] = ['://'.repeat(200_000), `"${'token '.repeat(100_000)}`];
    expect(redacted(slashes)).toBe(slashes);
    expect(redacted(words)).toBe(words);
  });
});
