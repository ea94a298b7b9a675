import { expect, it } from 'vitest';
import { missingForVm } from './requirements.ts';

it('a machine with everything lacks nothing', () => {
  expect(missingForVm({ root: true, has: () => true, tun: true })).toEqual([]);
});

it('what is missing is told with the package that brings it', () => {
  const told = missingForVm({ root: true, has: (program) => !program.startsWith('qemu'), tun: true });
  expect(told).toEqual(['Debian packages: apt-get install qemu-system-x86 qemu-utils']);
});

it('root and the tun device are told apart from packages', () => {
  const told = missingForVm({ root: false, has: () => true, tun: false });
  expect(told).toHaveLength(2);
  expect(told[0]).toContain('root');
  expect(told[1]).toContain('/dev/net/tun');
});
