import { describe, expect, it } from 'vitest';
import { parseLogLine } from './parse-line.ts';
import { soundsBad, textOf } from './say.ts';

function said(line: string): string {
  const parsed = parseLogLine(line);
  return parsed ? textOf(parsed) : '';
}

describe('textOf', () => {
  it('puts the error last, decoded through all its quotes, and leaves names out', () => {
    expect(
      said('E0102 03:04:05.000000 9 a.go:1] "Could not create" err="outer: \\"inner: \\\\\\"x\\\\\\"\\"" scheduler="r" pod="a/b"'),
    ).toBe('Could not create scheduler=r: outer: "inner: "x""');
  });

  it('says the same for the other structured formats', () => {
    expect(said('time="2024-01-02T03:04:05Z" level=error msg="cannot mount" error="exit status 32"')).toBe('cannot mount: exit status 32');
    expect(said('{"level":"error","ts":1704164645,"msg":"cannot mount","error":"exit status 32"}')).toBe('cannot mount: exit status 32');
  });

  it('does not repeat an error, nor an absent one', () => {
    expect(said('time="2024-01-02T03:04:05Z" level=error msg="failed: no space" error="no space"')).toBe('failed: no space');
    expect(said('time="2024-01-02T03:04:05Z" level=debug msg="sent" error="<nil>"')).toBe('sent');
  });
});

it('hears trouble in plain words', () => {
  expect(['connection refused', 'Segfault', 'ENOENT: no such file', 'Exception in x'].every(soundsBad)).toBe(true);
  expect(['Listening on :80', 'bootstrap done', 'errorless run'].some(soundsBad)).toBe(false);
});
