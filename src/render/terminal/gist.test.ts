import { describe, expect, it } from 'vitest';
import { gist } from './gist.ts';

describe('gist', () => {
  it.each([
    [
      'Mar 03 04:11:27 worker-2 kubelet[1187]: E0303 04:11:27.301554    1187 pod_workers.go:1298] "Error syncing pod, skipping"',
      '"Error syncing pod, skipping"',
    ],
    ['Mar  3 04:11:27 worker-2 kernel: [ 8121.004411] Out of memory: Killed process 4121', 'Out of memory: Killed process 4121'],
    ['2026-03-03T04:11:27.123456789Z stderr F panic: no route', 'panic: no route'],
    ['2026-03-03 04:11:27,112 ERROR cannot bind', 'ERROR cannot bind'],
    ['time="2026-03-03T04:11:27Z" level=error msg="no such file"', 'msg="no such file"'],
    ['SystemdCgroup = false', 'SystemdCgroup = false'],
    ['Normal Killing 4m29s (x3 over 7m28s) kubelet Stopping container', 'Normal Killing 4m29s (x3 over 7m28s) kubelet Stopping container'],
  ])('%s', (quote, said) => {
    expect(gist(quote)).toBe(said);
  });

  it('never leaves nothing', () => {
    expect(gist('[    0.000000] ')).toBe('[    0.000000] ');
    expect(gist('')).toBe('');
  });
});
