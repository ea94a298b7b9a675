import { expect, it } from 'vitest';
import { commandLine } from './command-line.ts';

it('can be typed again as it is printed', () => {
  expect(commandLine(['podcause', 'fix', undefined, '--via', 'ssh {node} sudo', '--apply'])).toBe(
    "podcause fix --via 'ssh {node} sudo' --apply",
  );
  expect(commandLine(['podcause', 'fix', 'a;reboot'])).toBe("podcause fix 'a;reboot'");
});
