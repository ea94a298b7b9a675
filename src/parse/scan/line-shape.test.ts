import { describe, expect, it } from 'vitest';
import { type Shape, shapeOf } from './line-shape.ts';

function shape(text: string): string {
  const into: Shape = { low: 0, high: 0 };
  const bytes = Buffer.from(`before\n${text}\nafter`);
  shapeOf(bytes, 7, bytes.length - 6, into);
  return `${into.low},${into.high}`;
}

describe('shapeOf', () => {
  it.each([
    [
      'Mar 14 09:26:53 n1 kubelet[1893]: E0314 09:26:53.589793    1893 x.go:11] boom',
      'Mar 14 10:00:01 n1 kubelet[2093]: E0315 10:00:01.000001    2093 x.go:11] boom',
    ],
    ['time="2025-03-14T09:26:58.77Z" level=error msg="boom"', 'time="2025-03-14T11:06:08.123456789Z" level=error msg="boom"'],
    ['took 1.25s, resourceVersion 123456', 'took 12.5s, resourceVersion 99999999'],
    ['dial tcp 10.0.0.7:51234->10.0.0.1:443', 'dial tcp 10.0.0.7:40000->10.0.0.1:443'],
  ])('is the same for the same thing said again: %s', (first, second) => {
    expect(shape(first)).toBe(shape(second));
  });

  it.each([
    ['exit status 1.', 'exit status 2.'],
    ['ExitCode:137,', 'ExitCode:139,'],
    ['pod web-0 failed', 'pod web-1 failed'],
    ['pod web-1000 failed', 'pod web-1001 failed'],
    ['node worker12 is gone', 'node worker13 is gone'],
    ['dial tcp 10.0.0.1:443', 'dial tcp 10.0.0.2:443'],
    ['id=0b7e5f5a9d53', 'id=0b7e5f5a9d54'],
    ['uid 11111111-2222-3333-4444-555555555555', 'uid 11111111-2222-3333-4444-555555555556'],
    ['status 404', 'status 503'],
    ['no space left', 'no Space left'],
  ])('tells apart %s and %s', (first, second) => {
    expect(shape(first)).not.toBe(shape(second));
  });
});
