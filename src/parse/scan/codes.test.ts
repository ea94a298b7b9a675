import { describe, expect, it } from 'vitest';
import { explainCodes, explainExit, explainSignal } from './codes.ts';

function ids(text: string): string[] {
  return explainCodes(text).map(({ id }) => id);
}

describe('explainCodes', () => {
  it.each([
    ['container exited with code 137', ['exit-137']],
    ['Exit Code:    127', ['exit-127']],
    ['exitCode=255', ['exit-255']],
    ['mount failed: exit status 32', ['mount-32']],
    ['rsync failed: exit status 23', ['exit-other']],
    ['exited with status 141', ['exit-141']],
    ['code=exited, status=203/EXEC', ['systemd-EXEC']],
    ['signal: killed', ['signal-SIGKILL']],
    ['received SIGTERM, stopping', ['signal-SIGTERM']],
    ['[signal 11] at 0x20', ['signal-SIGSEGV']],
    ['listen tcp :80: bind: address already in use', ['errno-EADDRINUSE']],
    ['Error: connect ECONNREFUSED 10.0.0.1:80', ['errno-ECONNREFUSED']],
    ['open /a: Permission denied, then No space left on device', ['errno-EACCES', 'errno-ENOSPC']],
    ['accept: too many open files in system', ['errno-ENFILE']],
    ['getaddrinfo ENOTFOUND db', ['errno-ENOTFOUND']],
    ['rpc error: code = Unimplemented desc = unknown service', ['grpc-Unimplemented']],
    ['HTTP probe failed with statuscode: 503', ['http-503']],
    ['unexpected status from HEAD request: 403 Forbidden', ['http-403']],
    ['unexpected status code 429', ['http-429']],
    ['HTTP/1.1 502', ['http-502']],
    ['took 404 ms for 500 items, ERROR EXAMPLE', []],
    ['', []],
  ])('of %s', (text, expected) => {
    expect(ids(text)).toEqual(expected);
  });

  it('tells each code once and at most eight', () => {
    expect(ids('exit code 1, exit code 1')).toEqual(['exit-1']);
    expect(ids('EPERM ENOENT ESRCH EIO ENXIO E2BIG ENOEXEC EBADF EAGAIN ENOMEM')).toHaveLength(8);
  });
});

describe('explainExit and explainSignal', () => {
  it('know codes by number and name', () => {
    expect(explainExit(137)?.says).toMatch(/SIGKILL/);
    expect(explainExit(141)?.says).toMatch(/SIGPIPE/);
    expect(explainExit(0)?.id).toBe('exit-0');
    expect(explainExit(300)).toBeUndefined();
    expect(explainExit(-1)).toBeUndefined();
    expect(explainSignal(9)).toEqual(explainSignal('SIGKILL'));
    expect(explainSignal(99)).toBeUndefined();
  });
});
